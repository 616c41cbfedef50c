// Builds elements. Text is always text: nothing on this page becomes markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with its properties (`on…` are listeners, `data` and `aria` are maps) and children. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) set(element, name, value);
  element.append(...present(children));
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "class") element.className = value;
  else if (name === "data") Object.assign(element.dataset, value);
  else if (name === "aria") {
    for (const [key, text] of Object.entries(value)) element.setAttribute(`aria-${key}`, text);
  } else if (name.startsWith("on")) element.addEventListener(name.slice(2).toLowerCase(), value);
  else if (value === true) element.setAttribute(name, "");
  else element.setAttribute(name, value);
}

function present(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** A drawing from the symbols in the page; it says nothing to screen readers. */
export function icon(name, className = "") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", `icon ${className}`.trim());
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/** Replace what is inside. */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
  return element;
}

/** Change a text only where it differs, so that a selection in it survives. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Show or hide. */
export function show(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}

/** A button with words, an optional drawing, and what it does. */
export function button(words, onClick, { look = "", drawing = null, ...more } = {}) {
  const properties = { type: "button", class: `button ${look}`.trim(), onClick, ...more };
  return h("button", properties, drawing && icon(drawing), h("span", {}, words));
}
