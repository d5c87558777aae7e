// Pages carry their scripts as they are: each file is a classic script that shares names with those
// before it, so unused top-level names and unknown globals are the type checker's task.
import js from "@eslint/js";

export default [
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "script" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      ...js.configs.recommended.rules,
      "no-undef": "off",
      "no-unused-vars": ["error", { vars: "local" }],
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-shadow": "error",
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
