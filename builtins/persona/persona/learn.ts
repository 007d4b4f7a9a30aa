// Finds, in a message, lasting preferences about how the user wants to be addressed, using a few fixed rules.
import { withoutPasted } from '#lib/pasted';

/** Maximum length of a message in UTF-16 code units; a longer message is unlikely to state a preference. */
const longestMessage = 400;

/** Beginnings and subjects of sentences that state a preference. Covers only manners, because project instructions do not belong to the character. */
const rules: readonly (readonly [begins: RegExp, isAbout: RegExp])[] = [
  [
    /^(?:please\s+)?(?:from now on|in (?:the )?future|going forward|always|never|don't ever|do not ever)\b/i,
    /\b(?:answer|reply|replies|respond|say|speak|talk|explain|address|greet|apologi[sz]e|joke|call me|emojis?|formal|informal|casual|concise|in (?:english|german|french|spanish))\b/i,
  ],
  [/^(?:please\s+)?stop\s+(?:answering|replying|saying|explaining|apologi[sz]ing|joking|greeting|calling me|using emojis)\b/i, /./],
  [/^(?:please\s+)?call me\s+\p{L}[\p{L}\d'-]*$/iu, /./],
  [
    /^(?:bitte\s+)?(?:ab jetzt|von jetzt an|in zukunft|künftig|antworte (?:mir )?(?:bitte )?(?:immer|nie)|sprich (?:bitte )?(?:immer|nie))\b/i,
    /(?:antwort|sprich|sprech|sag|red|erklär|begrüß|entschuldig|nenn|duz|siez|emoji|knapp|kurz|ausführlich|auf deutsch|auf englisch|witz)/i,
  ],
  [/^(?:bitte\s+)?nenn mich\s+(?:bitte\s+)?\p{L}[\p{L}\d'-]*$/iu, /./],
];

/** Returns the user's sentence; `undefined` if there is none, or if it is pasted or follows a colon. */
export function preferenceIn(message: string): string | undefined {
  if (message.length > longestMessage) return undefined;
  const [own = ''] = withoutPasted(message).split(/:[ \t]*\n/);
  return own
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim().replace(/[.!]+$/, ''))
    .find((sentence) => rules.some(([begins, isAbout]) => begins.test(sentence) && isAbout.test(sentence)));
}
