// The half of a page that its game brings: the module that the page names, and nothing where the game has none.

const { module } = document.body.dataset;

export const half = module ? await import(module) : {};
