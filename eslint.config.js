import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const timers = ['setInterval', 'setTimeout', 'setImmediate'];
const page = 'builtins/clients/web-ui/app/tsconfig.json';

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'node_modules/', 'test/fixtures/', 'test/types/consumer/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-empty-object-type': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      'preserve-caught-error': 'error',
    },
  },
  {
    // Type-aware rules run on the source only. The pages have their own TypeScript project, because they use browser libraries.
    files: ['kernel/**/*.ts', 'plugins/**/*.ts', 'builtins/**/*.ts', 'builtins/**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeCheckedOnly],
    languageOptions: { parserOptions: { project: ['builtins/tsconfig.json', page], tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      '@typescript-eslint/require-await': 'off',
      // Services, registries and emitters are plain objects built from closures; their methods do not use `this`.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['builtins/clients/web-ui/app/**', 'builtins/control-plane/plane-pages/app/**'],
    extends: [hooks.configs.flat.recommended],
  },
  {
    // These two files wrap untyped libraries.
    files: ['kernel/container.ts', 'kernel/hooks.ts'],
    rules: { '@typescript-eslint/no-explicit-any': 'off', '@typescript-eslint/no-unsafe-argument': 'off', '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  {
    // The map is empty until plugins augment it, so its `keyof` is `never` here.
    files: ['kernel/contracts.ts'],
    rules: { '@typescript-eslint/no-redundant-type-constituents': 'off' },
  },
  {
    // Timers must be registered with `registry.defer`, which cancels them when the plugin stops.
    files: ['plugins/**/index.ts', 'builtins/**/index.ts'],
    rules: { 'no-restricted-globals': ['error', ...timers] },
  },
  {
    files: ['test/**/*.ts', 'examples/**/*.ts'],
    rules: { '@typescript-eslint/no-explicit-any': 'off' },
  },
);
