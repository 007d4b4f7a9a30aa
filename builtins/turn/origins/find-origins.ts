// Finds external text, encoded secrets, and secrets in pieces in the texts of one call.
import { squeeze, squeezeWithPlaces } from '#lib/squeeze';
import type { ChatTexts } from './chat-texts.ts';
import type { OriginSpan, Origins, TextOrigin, TextPlace } from './contract.ts';
import { secretsBehind, type NamedFile } from './named-file.ts';
import { readingsOf, type Reading, type Readings } from './readings.ts';
import type { SecretFiles } from './secret-files.ts';
import { createSecretFinder, type SecretFinder } from './secret-finder.ts';
import { findDecoded, findWhole } from './secret-match.ts';
import { addSent, findInPieces, nothingSent, piecesOfSecrets, type SecretPieces } from './secret-pieces.ts';
import type { Secret } from './secret-values.ts';
import { shortestMatch } from './text-index.ts';

export interface FindParts {
  readonly textsOf: (place: TextPlace) => Promise<ChatTexts>;
  readonly secretsOf: SecretFiles['secretsOf'];
}

/** Maximum length of all texts of a call together, in UTF-16 code units. */
const mostCharacters = 100_000;

/** The secrets of a chat and its workspace; cached until either changes. */
interface KnownSecrets {
  readonly ofFiles: readonly Secret[];
  readonly version: number;
  readonly finder: SecretFinder;
  readonly pieces: SecretPieces;
}

export function createFind({ textsOf, secretsOf }: FindParts): Origins['find'] {
  const known = new WeakMap<ChatTexts, KnownSecrets>();

  /** Returns the secrets that the owner did not type. */
  function secretsIn(texts: ChatTexts, ofFiles: readonly Secret[]): KnownSecrets {
    const before = known.get(texts);
    if (before?.ofFiles === ofFiles && before.version === texts.version) return before;
    const byValue = new Map([...ofFiles, ...texts.secrets()].reverse().map((secret) => [secret.value, secret]));
    const secrets = [...byValue.values()].filter(({ squeezed }) => !texts.isTyped(squeezed));
    const isSame = before?.finder.secrets.length === secrets.length && secrets.every((secret, at) => secret === before.finder.secrets[at]);
    const made = isSame ? before : { finder: createSecretFinder(secrets), pieces: piecesOfSecrets(secrets) };
    const next = { ofFiles, version: texts.version, finder: made.finder, pieces: made.pieces };
    known.set(texts, next);
    return next;
  }

  return async function find(place, given, { namesFiles = false, sent = nothingSent } = {}) {
    const { texts, limit: ofSize } = cut(given);
    const chat = await textsOf(place);
    const workspace = await secretsOf(place.workspaceRoot);
    const { finder, pieces } = secretsIn(chat, workspace.secrets);
    const readings = texts.map(readingsOf);
    const behind = await Promise.all(
      texts.map(async (text): Promise<NamedFile> => (namesFiles ? secretsBehind(text, place.workspaceRoot, finder) : { spans: [] })),
    );
    const spans = texts.map((text, at) => [...spansIn(text, readings[at]?.all ?? [], finder, chat), ...(behind[at]?.spans ?? [])]);
    const together = texts.length > 1 ? [texts.join(' '), texts.join('')].map(readingsOf) : [];
    const after = addSent(
      sent,
      texts,
      readings.flatMap(({ all }) => all),
      pieces,
    );
    const sentBefore = new Set(findInPieces(pieces, sent));
    const inPieces = [...together.flatMap(({ all }) => [...findDecoded(finder, all).keys()]), ...findInPieces(pieces, after)];
    const limit =
      ofSize ??
      limitOf(
        [...readings, ...together],
        behind.find((one) => one.limit !== undefined)?.limit,
        workspace.limit === undefined ? chat.limit : `workspace ${workspace.limit}`,
      );
    return {
      spans,
      pieces: [...new Set(inPieces)].filter((secret) => !sentBefore.has(secret)).map(originOfSecret),
      sent: after,
      ...(limit === undefined ? {} : { limit }),
    };
  };
}

/** Truncates the texts to the limit and reports this, because text beyond the limit is not searched. */
function cut(texts: readonly string[]): { readonly texts: readonly string[]; readonly limit?: string } {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  if (characters <= mostCharacters) return { texts };
  let left = mostCharacters;
  const searched = texts.map((text) => {
    const part = text.slice(0, left);
    left -= part.length;
    return part;
  });
  return { texts: searched, limit: `The call has ${characters} characters; those of at most ${mostCharacters} can be searched for secrets.` };
}

function limitOf(readings: readonly Readings[], ofFile: string | undefined, ofSecrets: string | undefined): string | undefined {
  const ofText = readings.find(({ limit }) => limit !== undefined)?.limit;
  if (ofText !== undefined) return `A text of the call cannot be searched for secrets: it ${ofText}.`;
  if (ofFile !== undefined) return ofFile;
  return ofSecrets === undefined ? undefined : `Not all secrets are known: the ${ofSecrets}.`;
}

function spansIn(text: string, readings: readonly Reading[], finder: SecretFinder, chat: ChatTexts): OriginSpan[] {
  const whole = findWhole(finder, readings).map((found) => spanOfSecret(text, found.secret, found.through));
  const others = readings.flatMap((reading) => spansOf(text, reading, chat)).filter(({ origin }) => origin.kind !== 'secret' || whole.length === 0);
  return [...whole, ...others];
}

function spanOfSecret(text: string, secret: Secret, through: string | undefined): OriginSpan {
  const at = text.indexOf(secret.value);
  const [start, end] = at === -1 ? [0, text.length] : [at, at + secret.value.length];
  return { start, end, origin: originOfSecret(secret), ...(through === undefined ? {} : { through }) };
}

function originOfSecret({ ref, name }: Secret): TextOrigin {
  return { kind: 'secret', ref, ...(name === undefined ? {} : { name }) };
}

/** Returns the parts that occur in external text, otherwise those that occur in the owner's own files. */
function spansOf(original: string, { text, through }: Reading, chat: ChatTexts): OriginSpan[] {
  const squeezed = through === undefined ? squeezeWithPlaces(text) : { text: squeeze(text), places: [] };
  if (squeezed.text.length < shortestMatch) return [];
  const isForeign = (match: { readonly start: number; readonly end: number }): boolean => !chat.isTyped(squeezed.text.slice(match.start, match.end));
  const outside = chat.outside.find(squeezed.text).filter(isForeign);
  const found = outside.length > 0 ? outside : chat.own.find(squeezed.text).filter(isForeign);
  const isWhole = found.length > 0 && through === undefined && (chat.outside.has(squeezed.text) || chat.own.has(squeezed.text));
  return found.map(({ start, end, source }) => ({
    start: through === undefined ? (squeezed.places[start] ?? 0) : 0,
    end: through === undefined ? (squeezed.places[end - 1] ?? original.length - 1) + 1 : original.length,
    origin: source,
    ...(through === undefined ? {} : { through }),
    ...(isWhole ? { isWhole } : {}),
  }));
}
