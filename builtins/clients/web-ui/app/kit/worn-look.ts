// What the page wears: the look that is in force, and over it one that is only tried.
import { putTokens } from './theme.ts';

type Tokens = Readonly<Record<string, string>> | undefined;

let inForce: Tokens;
let tried: Tokens;

/** `undefined`: the page is plain. */
export function wearLook(tokens: Tokens): void {
  inForce = tokens;
  putTokens(tried ?? inForce);
}

/** `undefined`: what is in force shows again. */
export function tryLook(tokens: Tokens): void {
  tried = tokens;
  putTokens(tried ?? inForce);
}
