// What vite-messages.ts makes at build.
declare module 'virtual:catalogues' {
  import type { Catalogues } from '#page/kit/language.ts';
  export const catalogues: Catalogues;
}
