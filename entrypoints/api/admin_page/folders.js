// The folders of originals ("storage configs"): list, add, (de)activate, remove.

import { call } from "./api.js";
import { go } from "./address.js";
import { confirm, field, form, wordsFor } from "./dialogs.js";
import { button, h } from "./dom.js";
import { moment } from "./moments.js";
import { folders, load, people, userName } from "./names.js";
import { panel } from "./panel.js";
import { toast } from "./toasts.js";

export class FoldersView {
  constructor() {
    this.panel = panel({
      title: "Folders",
      hint: "Each is one person's originals. They are only ever read. An active folder is crawled again and again.",
      columns: ["Folder", "Owner", "Time zone", "State", ""],
      action: button("Add a folder", () => this.#add(), { look: "primary", drawing: "plus" }),
      empty: { drawing: "folder", title: "No folder yet", text: "Add the folder in which somebody's photos lie. The first crawl begins by itself." },
    });
    this.element = this.panel.element;
  }

  /** Read and show them. */
  async load() {
    await load().catch((error) => toast(wordsFor(error), "bad"));
    this.panel.rows(folders().map((folder) => this.#cells(folder)));
  }

  #cells(folder) {
    return [
      [h("div", { class: "strong mono path" }, folder.rootPath), h("div", { class: "sub" }, "added ", moment(folder.createdAt))],
      userName(folder.userId),
      folder.timeZone,
      state(folder.isActive),
      h("div", { class: "row-actions" }, this.#actions(folder)),
    ];
  }

  #actions(folder) {
    const small = { look: "small" };
    const label = (words) => ({ ...small, aria: { label: `${words}: ${folder.rootPath}` } });
    return [
      button("Its items", () => go({ view: null, scope: folder.id, status: null, kind: null }), label("Its items")),
      folder.isActive && button("Accept missing files", () => this.#allowMissing(folder), label("Accept missing files")),
      folder.isActive
        ? button("Deactivate", () => this.#change(folder, false), label("Deactivate"))
        : button("Activate", () => this.#change(folder, true), label("Activate")),
      button("Remove", () => this.#remove(folder), { ...label("Remove"), look: "small danger" }),
    ];
  }

  async #act(work, words) {
    try {
      await work();
      toast(words, "good");
    } catch (error) {
      toast(wordsFor(error), "bad");
    }
    await this.load();
  }

  #change(folder, isActive) {
    const words = isActive ? "Active: it is crawled as soon as a Worker is free." : "Inactive: what waits goes on waiting, what runs goes on.";
    return this.#act(() => call("PATCH", `storage-configs/${folder.id}`, { body: { isActive } }), words);
  }

  async #allowMissing(folder) {
    const sure = await confirm({
      title: "Accept that files are missing?",
      text: `A crawl that finds ${folder.rootPath} empty, or most of it missing, normally changes nothing: the disk may not be mounted.`,
      consequences: ["One crawl begins now and believes what it finds.", "Pictures whose files are missing disappear from the memories until the files are back."],
      action: "Accept them, once",
      dismiss: "Not now",
    });
    if (sure) await this.#act(() => call("POST", `storage-configs/${folder.id}/allow-missing`), "A crawl was asked for.");
  }

  async #remove(folder) {
    const sure = await confirm({
      title: "Remove this folder?",
      text: folder.rootPath,
      consequences: [
        "Its work items go, finished and waiting; a crawl that runs is stopped.",
        "All that is known of its pictures goes: dates, places, memories.",
        "The originals are not touched.",
        "The small copies stay on disk for now.",
      ],
      action: "Remove it",
      isDangerous: true,
    });
    if (sure) await this.#act(() => call("DELETE", `storage-configs/${folder.id}`), "The folder is removed.");
  }

  #add() {
    const owner = h("select", { class: "select", name: "userId", required: true }, people().map((user) => h("option", { value: user.id }, user.name)));
    const path = h("input", { class: "input mono", name: "rootPath", required: true, placeholder: "/data/originals/anna", autocomplete: "off", spellcheck: "false" });
    const zones = h("datalist", { id: "zones" }, Intl.supportedValuesOf("timeZone").map((zone) => h("option", { value: zone })));
    const zone = h("input", { class: "input", name: "timeZone", list: "zones", placeholder: "as the server's", autocomplete: "off" });
    form({
      title: "Add a folder",
      fields: [
        field("Owner", owner, "Only they see its pictures."),
        field("Path on the Workers", path, "Absolute, and not inside another registered folder."),
        field("Time zone", zone, "For pictures that don't say theirs."),
        zones,
      ],
      action: "Add it",
      submit: async (values) => {
        const body = { userId: values.get("userId"), rootPath: values.get("rootPath") };
        if (values.get("timeZone")) body.timeZone = values.get("timeZone");
        await call("POST", "storage-configs", { body }).catch(explain);
        toast("Added. Its first crawl begins within seconds if a Worker is free: see Queue.", "good");
        await this.load();
      },
    });
  }
}

/** Throw the error on; where it names another folder by its id, by its path. */
function explain(error) {
  const other = folders().find((folder) => error.message.includes(folder.id));
  if (!other) throw error;
  throw new Error(`It overlaps ${other.rootPath} of ${userName(other.userId)}. A folder can be registered once only.`);
}

function state(isActive) {
  return h("span", { class: "chip plain", data: { look: isActive ? "succeeded" : "cancelled" } }, isActive ? "active" : "inactive");
}
