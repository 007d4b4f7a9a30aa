// Checks that the text of an automatic note is one plain factual sentence. Pure.
import { stripHidden } from '#lib/hidden-text';
import { hasSecret } from '#lib/secrets';

/** Maximum length of a note in UTF-16 code units. */
export const maxSentence = 400;

const abbreviations = /\b(?:e\.g|i\.e|etc|mr|mrs|ms|dr|prof|st|vs|approx|no|inc|ltd)\.$/i;
const programs =
  'sudo|rm|mv|cp|ls|cd|curl|wget|git|npm|npx|pnpm|yarn|node|python3?|pip3?|docker|kubectl|helm|make|cargo|go|chmod|chown|ssh|scp|cat|echo|bash|sh|zsh|export|apt|brew|sed|awk|grep|tar|kill|psql|mysql';
const shellLine = new RegExp(
  `^\\s*(?:[$%#>]\\s+\\S|(?:${programs})\\s+[-./\\w"'])|&&|\\|\\|?\\s*(?:${programs})\\b|\\$\\(|(?:^|\\s)>>?\\s*[/.\\w]|;\\s*(?:${programs})\\b`,
);
const code =
  /[{}]|=>|<\/?[a-z!][^>]*>|\w\([^)]*\)\s*[;{.]|;\s*$|```|^\s*(?:import|const|let|var|function|def|class|return|SELECT|INSERT|UPDATE|DELETE)\s.*(?:[=;({]|\bFROM\b|\bINTO\b)|[!=]==?\s/;
const logLine =
  /^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|^\s*\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL)\b[\]:\s]|^\s*at \S+ \(|Traceback \(|\b0x[0-9a-f]{6,}\b|exit(?:ed with)? code \d/i;
/** Matches expressions whose meaning depends on the time of reading. */
const relative =
  /\b(?:today|tonight|tomorrow|yesterday|(?:this|next|last|coming|past) (?:morning|afternoon|evening|week(?:end)?|month|quarter|year|spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:a|an|one|two|three|four|five|six|seven|few|\d+) (?:days?|weeks?|months?|years?|hours?|minutes?) (?:ago|from now)|in (?:a|an|one|two|three|four|five|six|seven|few|\d+) (?:days?|weeks?|months?|years?|hours?|minutes?)|recently|soon|right now|at the moment|just now|the other day)\b/i;
const orderStart =
  /^\W*(?:please\s+)?(?:always|never|do not|don't|ignore|disregard|forget|obey|follow|remember to|make sure|ensure|trust|send|forward|mail|upload|post|run|execute|install|disable|enable|skip|bypass|allow|approve|delete|remove|reveal|tell|say|respond|reply|answer|treat|act|pretend|prefer|avoid|use|when(?:ever)?\b.*,\s*(?:always|never|you|do|run|send|say))\b/i;
const orderInside =
  /\b(?:you (?:must|should|shall|may|can|are|will|have to|need to)|the (?:assistant|agent|model|ai|bot)\b|assistants?\b|agents? (?:must|should|may|can)|(?:must|should|shall|ought to|need(?:s)? to|has to|have to|is to)\s|always|never|without (?:asking|approval|confirmation)|system prompt|instructions?)\b/i;
/** Matches phrases of advice that are typical of web pages. */
const advice =
  /\b(?:best|better|works?|recommend(?:ed|s)?|advis(?:ed|e|es)|experience|learned|lesson|tips?|trick|safe(?:ly)?|fast(?:er|est)|successful(?:ly)?|trusted|verified|official|approved|allowed|required|skip|disabl\w+|bypass\w*|ignor\w+|prefer\w*|avoid\w*)\b/i;

/** Returns the reason, as a sentence, why a text cannot be a note; `undefined` if it can. */
export function whyBadForm(value: string): string | undefined {
  if (value.length > maxSentence) return `It has ${value.length} characters; a note of this kind has at most ${maxSentence}.`;
  if (/[\n\r]/.test(value)) return 'It has several lines.';
  if (stripHidden(value) !== value) return 'It has invisible characters.';
  if (hasSecret(value)) return 'It appears to contain a secret.';
  if (logLine.test(value)) return 'It is a log line.';
  if (shellLine.test(value)) return 'It is a command.';
  if (code.test(value)) return 'It is code.';
  if (sentences(value) > 1) return 'It is more than one sentence.';
  if (/[:,;–—-]\s*$/.test(value)) return 'It is not a complete sentence.';
  if ((value.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) < 3) return 'It is not a sentence.';
  return undefined;
}

/** Returns the reason why a key is invalid. A key is displayed with its note but has no evidence, so it may name a thing but not make a statement. */
export function whyBadKey(key: string): string | undefined {
  const words = key.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (stripHidden(key) !== key || hasSecret(key)) return 'Its key contains a secret or invisible characters.';
  return key.length > 80 || words.length > 8 || (words.length > 4 && isOrder(words.join(' '))) ? 'Its key is a text instead of a short name.' : undefined;
}

export function hasRelativeDate(value: string): boolean {
  return relative.test(value);
}

/** Returns whether the text instructs its reader. */
export function isOrder(value: string): boolean {
  return orderStart.test(value) || orderInside.test(value);
}

export function isAdvice(value: string): boolean {
  return advice.test(value);
}

function sentences(value: string): number {
  const parts = value.trim().split(/(?<=[.!?])["”')]*\s+(?=["“'(]?[\p{Lu}\p{N}])/u);
  return parts.filter((part, at) => at === parts.length - 1 || !abbreviations.test(part)).length;
}
