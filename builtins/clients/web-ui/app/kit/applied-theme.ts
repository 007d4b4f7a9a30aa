// Applies the active theme to the page, and a temporary preview over it.
import { putTokens } from './theme.ts';

type Tokens = Readonly<Record<string, string>> | undefined;

let inForce: Tokens;
let tried: Tokens;

/** Applies a theme; `undefined` removes it. */
export function applyThemeTokens(tokens: Tokens): void {
  inForce = tokens;
  putTokens(tried ?? inForce);
}

/** Previews a theme; `undefined` shows the active one again. */
export function previewThemeTokens(tokens: Tokens): void {
  tried = tokens;
  putTokens(tried ?? inForce);
}
