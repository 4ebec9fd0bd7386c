// Requests to the command that opened the editor. Its key is in the address after "#".

import { t } from "../texts.js";

// By this number, the command detects that another page has changed the drawing.
const PAGE = crypto.getRandomValues(new Uint32Array(4)).join("-");
const KEY = location.hash.slice(1) || sessionStorage.getItem("editor-key") || "";
if (KEY) sessionStorage.setItem("editor-key", KEY);

class Refused extends Error {
  constructor({ code, sentence }) {
    super(sentence);
    this.code = code;
  }
}

async function asked(path, body) {
  const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const own = { "X-Editor-Key": KEY, "X-Editor-Page": PAGE };
  const headers = { ...own, ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
  const answer = await fetch(`/api/${path}`, { ...post, headers }).catch(() => null);
  if (!answer) throw new Refused({ code: "away", sentence: t("editor.away") });
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => null);
  throw new Refused(told?.error ?? { code: "broken", sentence: t("editor.away") });
}

const json = async (path, body) => (await asked(path, body)).json();

export const opened = () => json("drawing");
export const check = (document) => json("check", { document });
export const sight = (document, space) => json("sight", { document, space });
export const blame = (document, space, other) => json("blame", { document, space, other });
export const keep = (document, photo, over) => json("draft", { document, photo, over });
export const discard = () => json("discard", {});
export const save = (document, photo, over) => json("save", { document, photo, over });
export const photo = async () => (await asked("photo")).blob();
export const takePhoto = (photo, over) => json("photo", { photo, over });
