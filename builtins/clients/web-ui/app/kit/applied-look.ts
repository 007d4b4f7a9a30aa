// Applies the active theme to the page, and a temporary preview over it.
import { putTokens } from './theme.ts';

type Tokens = Readonly<Record<string, string>> | undefined;

let inForce: Tokens;
let tried: Tokens;

/** `undefined`: no look. */
export function applyLook(tokens: Tokens): void {
  inForce = tokens;
  putTokens(tried ?? inForce);
}

/** `undefined`: shows the active look again. */
export function tryLook(tokens: Tokens): void {
  tried = tokens;
  putTokens(tried ?? inForce);
}
