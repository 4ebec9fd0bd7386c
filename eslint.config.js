// What ESLint checks: likely mistakes, and a few rules of this project. Prettier takes care of the layout.

import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: [".venv/", "build/", "dist/", "docs/", "lab/", "web_panel/site/"] },
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "no-restricted-properties": [
        "error",
        // The policy of the pages forbids inline styles and markup in scripts.
        { property: "innerHTML", message: "Create elements with h() of ui.js." },
        { property: "outerHTML", message: "Create elements with h() of ui.js." },
      ],
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  {
    // The service worker: the table puts these two constants in front of it.
    files: ["web_panel/static/worker.js"],
    languageOptions: {
      sourceType: "script",
      globals: { ...globals.serviceworker, SHELL: "readonly", KEPT: "readonly" },
    },
  },
];
