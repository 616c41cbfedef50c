// The choice of kind and scope above the list.

import { knownKinds } from "./api.js";
import { fill, h } from "./dom.js";
import { folders, scopeName } from "./names.js";
import { kindName } from "./words.js";

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
    /** Show what is chosen. */
    update(chosen) {
      const scopes = folders().map((folder) => [folder.id, scopeName(folder.id)]);
      offer(kind.control, "All kinds", kinds.map((each) => [each, kindName(each)]), chosen.kind);
      offer(scope.control, "All scopes", [["none", "Whole installation"], ...scopes], chosen.scope);
      clear.hidden = chosen.kind === null && chosen.scope === null;
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
  const told = JSON.stringify(all);
  if (control.dataset.told !== told) {
    control.dataset.told = told;
    fill(control, all.map(([value, words]) => h("option", { value }, words)));
  }
  control.value = chosen ?? "";
}
