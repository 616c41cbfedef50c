// The choice of kind and scope above the list.

import { knownKinds } from "./api.js";
import { fill, h, write } from "./dom.js";
import { folders, scopeName } from "./names.js";
import { countOf } from "./overview.js";
import { bounded, kindName } from "./words.js";

/** `onChange({kind})` or `onChange({scope})`; null is everything. */
export function filters(onChange) {
  const kind = select("Kind", (value) => onChange({ kind: value }));
  const scope = select("Scope", (value) => onChange({ scope: value }));
  const clear = h("button", { type: "button", class: "link small", onClick: () => onChange({ kind: null, scope: null }) }, "Clear filters");
  let kinds = [];
  const element = h("div", { class: "filters" }, kind.element, scope.element, clear);
  return {
    element,
    /** Learn which kinds there are. */
    async load() {
      kinds = await knownKinds();
    },
    /** Show what is chosen, and how many items of each kind there are in the chosen status. */
    update({ status = null, kind: chosenKind = null, scope: chosenScope = null }, counts) {
      const withCount = (each) => {
        const counted = countOf(counts, status, each);
        return counted ? `${kindName(each)} (${bounded(counted.count, counted.isCapped)})` : kindName(each);
      };
      const scopes = folders().map((folder) => [folder.id, scopeName(folder.id)]);
      offer(kind.control, "All kinds", kinds.map((each) => [each, withCount(each)]), chosenKind);
      offer(scope.control, "All scopes", [["none", "Whole installation"], ...scopes], chosenScope);
      clear.hidden = chosenKind === null && chosenScope === null;
    },
  };
}

function select(label, onChange) {
  const control = h("select", {
    class: "select compact",
    aria: { label },
    onChange: () => onChange(control.value || null),
  });
  return { element: control, control };
}

function offer(control, everything, choices, chosen) {
  // What is chosen stays offered, also where it is gone.
  const known = chosen === null || choices.some(([value]) => value === chosen);
  const all = [["", everything], ...choices, ...(known ? [] : [[chosen, scopeName(chosen)]])];
  const values = JSON.stringify(all.map(([value]) => value));
  if (control.dataset.values !== values) {
    control.dataset.values = values;
    fill(control, all.map(([value, words]) => h("option", { value }, words)));
  } else if (control !== document.activeElement) {
    // Not under somebody who is about to choose.
    all.forEach(([, words], at) => write(control.options[at], words));
  }
  if (control.value !== (chosen ?? "")) control.value = chosen ?? "";
}
