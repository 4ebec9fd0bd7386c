// Forms that send their fields to the table and show its refusal.

import { h } from "./ui.js";

// `fields` are the content; the last one is the button. The line for errors, initially with the text `words`, is
// inserted above the button. `send(elements)` resolves to the table's answer, or returns an error message; `done(form)`
// is called after success and may return a message, too.
/** @type {(faultId: string, fields: Kids[], send: (elements: any) => any, done: (form: any) => any, words?: string) => any} */
export function form(faultId, fields, send, done, words = "") {
  const fault = h("p", { class: "fault", role: "alert", testid: faultId }, words);
  const onsubmit = async (event) => {
    event.preventDefault();
    const answer = await send(event.target.elements);
    const refusal = typeof answer === "string" ? answer : answer.error?.sentence;
    fault.replaceChildren(refusal ?? (await done(event.target)) ?? "");
  };
  return h("form", { onsubmit }, fields.slice(0, -1), fault, fields.at(-1));
}

// A field for a PIN.
/** @type {(props: Props) => any} */
export const pinInput = (props) =>
  h("input", { name: "pin", type: "password", required: true, maxlength: 64, autocomplete: "off", ...props });
