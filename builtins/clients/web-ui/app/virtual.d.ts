// Defines the types of the modules that vite-messages.ts generates.
declare module 'virtual:catalogues' {
  import type { Catalogues } from '#page/kit/language.ts';
  export const catalogues: Catalogues;
}
