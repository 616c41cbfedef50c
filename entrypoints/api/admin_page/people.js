// The users: list, add, enable or disable, remove.

import { call } from "./api.js";
import { confirm, field, form, wordsFor } from "./dialogs.js";
import { button, h } from "./dom.js";
import { moment } from "./moments.js";
import { folders, load, people } from "./names.js";
import { panel } from "./panel.js";
import { toast } from "./toasts.js";
import { count } from "./words.js";

export class PeopleView {
  constructor() {
    this.panel = panel({
      title: "People",
      hint: "Everybody sees their own pictures. Admins see counts and never a picture of others.",
      columns: ["Name", "E-mail", "Role", "State", ""],
      action: button("Add a person", () => this.#add(), { look: "primary", drawing: "plus" }),
      empty: { drawing: "person", title: "Nobody", text: "That can't be: you are here." },
    });
    this.element = this.panel.element;
  }

  /** Read and show them. */
  async load() {
    await load().catch((error) => toast(wordsFor(error), "bad"));
    this.panel.rows(people().map((user) => this.#cells(user)));
  }

  #cells(user) {
    const look = (words, danger = "") => ({ look: `small ${danger}`, aria: { label: `${words}: ${user.name}` } });
    const toggle = user.isDisabled
      ? button("Enable", () => this.#change(user, { isDisabled: false }, `${user.name} may log in again.`), look("Enable"))
      : button("Disable", () => this.#disable(user), look("Disable"));
    const remove = button("Remove", () => this.#remove(user), look("Remove", "danger"));
    return [
      [h("div", { class: "strong" }, user.name), h("div", { class: "sub" }, "added ", moment(user.createdAt))],
      user.email,
      user.isAdmin ? "admin" : "member",
      h("span", { class: "chip plain", data: { look: user.isDisabled ? "cancelled" : "succeeded" } }, user.isDisabled ? "disabled" : "enabled"),
      h("div", { class: "row-actions" }, toggle, remove),
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

  #change(user, body, words) {
    return this.#act(() => call("PATCH", `users/${user.id}`, { body }), words);
  }

  async #disable(user) {
    const sure = await confirm({
      title: `Disable ${user.name}?`,
      consequences: ["They are logged out everywhere, at once.", "Their folders count as inactive: no new crawls.", "Nothing is deleted."],
      action: "Disable",
      dismiss: "Not now",
    });
    if (sure) await this.#change(user, { isDisabled: true }, `${user.name} is disabled.`);
  }

  async #remove(user) {
    const theirs = folders().filter((folder) => folder.userId === user.id).length;
    const sure = await confirm({
      title: `Remove ${user.name}?`,
      consequences: [
        "Their log-ins end at once.",
        `Their ${count(theirs, "folder")} ${theirs === 1 ? "goes" : "go"} too, with work items and all that is known of the pictures.`,
        "The originals are not touched.",
      ],
      action: "Remove them",
      dismiss: "Keep them",
      isDangerous: true,
    });
    if (sure) await this.#act(() => call("DELETE", `users/${user.id}`), `${user.name} is removed.`);
  }

  #add() {
    const input = (name, more = {}) => h("input", { class: "input", name, required: true, autocomplete: "off", ...more });
    const admin = h("input", { type: "checkbox", name: "isAdmin" });
    form({
      title: "Add a person",
      fields: [
        field("Name", input("name")),
        field("E-mail", input("email", { type: "email" })),
        field("Password", input("password", { type: "password", autocomplete: "new-password" }), "They can't change it themselves yet: tell them in person."),
        h("label", { class: "check" }, admin, h("span", {}, "Is an admin")),
      ],
      action: "Add them",
      submit: async (values) => {
        const body = { name: values.get("name"), email: values.get("email"), password: values.get("password"), isAdmin: values.has("isAdmin") };
        await call("POST", "users", { body });
        toast(`${body.name} is added.`, "good");
        await this.load();
      },
    });
  }
}
