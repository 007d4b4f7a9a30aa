// Implements the service `persona`: reads, edits and restores the active revision.
import { sha256 } from '#lib/hash';
import { oneLine } from '#lib/text';
import type { Persona, PersonaChange, PersonaSlice, PersonaState, SliceName, SliceSource, SliceVersion } from './contract.ts';
import type { Bootstrap } from './bootstrap.ts';
import type { ChatSwitch } from './chat-switch.ts';
import type { KeptSlice, Revision } from './store/revision.ts';
import type { NextRevision, Revisions } from './store/revisions.ts';
import { maxTokens, sliceNames, tidyText, tokensIn } from './store/slices.ts';
import { longestLine, withLine } from './living.ts';
import { whyUnfit, whyUnsafe } from './make/unsafe-text.ts';
import type { PersonaParts } from './persona-parts.ts';
import { characterOf, withCharacter, type CharacterStore } from './undoable-persona.ts';

export interface PersonaService extends Persona, CharacterStore {
  /** Deactivates the persona; the revisions are kept, so that it can be restored. */
  clear(why: string): Promise<PersonaState>;
  /** Writes the text of a section for an author other than the user. */
  write(name: SliceName, written: Pick<KeptSlice, 'text' | 'source' | 'by' | 'why'>): Promise<PersonaState>;
}

const themeName = 'ui_theme';

export function createPersonaService(
  { artifacts, error }: Pick<PersonaParts, 'artifacts' | 'error'>,
  revisions: Revisions,
  bootstrap: Pick<Bootstrap, 'status'>,
  chatSwitch: Pick<ChatSwitch, 'isOff'>,
  changed: (revision: Revision) => void,
): PersonaService {
  async function read(): Promise<PersonaState> {
    const [outside, status] = [await revisions.outside(), await bootstrap.status()];
    const { revision, profile, slices, artifacts: made } = await revisions.current();
    const rows = sliceNames.flatMap((name): PersonaSlice[] => {
      const slice = slices[name];
      if (!slice) return [];
      const { text, source } = slice;
      const found = outside.get(name);
      return [
        {
          ...{ name, text, source, revision: slice.revision, tokens: tokensIn(text), maxTokens: maxTokens[name] },
          ...(found === undefined ? {} : { outside: { text: found, hash: sha256(found) } }),
        },
      ];
    });
    return { revision, label: profile?.label ?? '', ...(profile ? { profile } : {}), slices: rows, artifacts: made, bootstrap: status };
  }

  async function changeWith(make: Parameters<Revisions['change']>[0]): Promise<PersonaState> {
    const before = (await revisions.current()).revision;
    const revision = await revisions.change(make);
    if (revision.revision !== before) changed(revision);
    return read();
  }

  function sliceOf(current: Revision, name: SliceName): KeptSlice {
    const slice = current.slices[name];
    if (!slice) throw error('NOT_FOUND', { what: 'persona yet: describe the agent first' });
    return slice;
  }

  function checked(name: SliceName, given: string): string {
    const text = tidyText(given);
    const tokens = tokensIn(text);
    if (tokens > maxTokens[name]) throw error('INVALID_REQUEST', { why: `the part '${name}' has about ${tokens} tokens; the limit is ${maxTokens[name]}` });
    const why = whyUnfit(text);
    if (why !== undefined) throw error('INVALID_REQUEST', { why });
    return text;
  }

  /** Returns the sections with one text replaced; `undefined` if the text is unchanged. */
  function withText(
    current: Revision,
    name: SliceName,
    text: string,
    said: { source: SliceSource; by: PersonaChange; why: string },
    stamp: Pick<Revision, 'revision' | 'at'>,
  ) {
    const { by, why } = said;
    return { ...current, by, why, slices: { ...current.slices, [name]: { text, ...said, ...stamp } } };
  }

  const write = (name: SliceName, { text, ...said }: Pick<KeptSlice, 'text' | 'source' | 'by' | 'why'>): Promise<PersonaState> =>
    changeWith((current, stamp) => {
      sliceOf(current, name);
      return withText(current, name, checked(name, text), said, stamp);
    });

  const setArtifact = async (name: string, value: unknown): Promise<PersonaState> => {
    const artifact = artifacts.find(name);
    if (!artifact) throw error('NOT_FOUND', { what: `plugin that makes '${name}'` });
    const kept = value === null ? undefined : artifact.check(value);
    if (typeof kept === 'string') throw error('INVALID_REQUEST', { why: kept });
    return changeWith((current) => {
      const { [name]: _, ...others } = current.artifacts;
      return {
        ...current,
        by: 'artifact',
        why: kept ? `${name} was set` : `${name} was removed`,
        artifacts: kept ? { ...others, [name]: kept.value } : others,
      };
    });
  };

  const artifact = async (name: string): Promise<unknown> => (await revisions.current()).artifacts[name];

  return {
    character: async () => characterOf(await revisions.current()),
    async setCharacter({ from, to }) {
      let isOther = false;
      await changeWith((current, stamp) => {
        isOther = characterOf(current) !== from;
        return isOther ? undefined : withCharacter(to, current, stamp);
      });
      return !isOther;
    },
    read,
    write,
    artifact,
    setArtifact,
    theme: () => artifact(themeName),
    setTheme: (theme) => setArtifact(themeName, theme),
    label: async (chatId) => (chatId !== undefined && (await chatSwitch.isOff(chatId)) ? '' : ((await revisions.current()).profile?.label ?? '')),
    edit: (name, { text, base }) =>
      changeWith((current, stamp) => {
        const slice = sliceOf(current, name);
        if (slice.revision !== base) throw error('CONFLICT', { name, revision: slice.revision });
        const next = checked(name, text);
        return next === slice.text ? undefined : withText(current, name, next, { source: 'person', by: 'edit', why: 'edited by hand' }, stamp);
      }),
    async history(name) {
      const seen = new Map<number, SliceVersion>();
      for (const { slices } of await revisions.all()) {
        const slice = slices[name];
        if (!slice || seen.has(slice.revision)) continue;
        const { revision: version, ...rest } = slice;
        seen.set(version, { version, ...rest });
      }
      return [...seen.values()].sort((left, right) => right.version - left.version);
    },
    async revert(name, version) {
      const found = (await revisions.all()).map(({ slices }) => slices[name]).find((slice) => slice?.revision === version);
      if (!found) throw error('NOT_FOUND', { what: `version ${version} of the part '${name}'` });
      return changeWith((current, stamp) => {
        sliceOf(current, name);
        return withText(current, name, found.text, { source: found.source, by: 'revert', why: `as it was in version ${version}` }, stamp);
      });
    },
    async versions() {
      return (await revisions.all()).map(({ revision, at, by, why, profile }) => ({ version: revision, at, by, why, label: profile?.label ?? '' }));
    },
    async restore(version) {
      const found = (await revisions.all()).find(({ revision }) => revision === version);
      if (!found) throw error('NOT_FOUND', { what: `version ${version} of the persona` });
      return changeWith((current, stamp) => asItWas(found, current, stamp));
    },
    learn: (sentence, source) =>
      changeWith((current, stamp) => {
        const said = { text: oneLine(sentence), source };
        const why =
          said.text === '' ? 'it is empty' : said.text.length > longestLine ? `a preference has at most ${longestLine} characters` : whyUnsafe(said.text);
        if (why !== undefined) throw error('INVALID_REQUEST', { why });
        const text = withLine(current.slices.living?.text ?? '', said, maxTokens.living);
        return text === current.slices.living?.text ? undefined : withText(current, 'living', text, { source: 'learned', by: 'learn', why: source }, stamp);
      }),
    async decideOutside(name, { hash, isTaken }) {
      const found = (await revisions.outside()).get(name);
      if (found === undefined || sha256(found) !== hash) throw error('CONFLICT', { name, revision: (await revisions.current()).revision });
      if (isTaken) return write(name, { text: found, source: 'person', by: 'outside', why: 'edited in its file, and accepted' });
      const waiting = new Map([...(await revisions.outside())].filter(([one]) => one !== name));
      await revisions.showAnew(waiting);
      return read();
    },
    clear: (why) =>
      changeWith(({ profile, slices, artifacts: made, bootstrap: asked }) => {
        const isEmpty = profile === undefined && Object.keys(slices).length === 0 && Object.keys(made).length === 0;
        return isEmpty ? undefined : { by: 'reset', why, bootstrap: asked === 'pending' ? 'skipped' : asked, slices: {}, artifacts: {} };
      }),
  };
}

/** Returns the sections of a revision; a section with an unchanged text keeps its own revision number. */
function asItWas(found: Revision, current: Revision, stamp: Pick<Revision, 'revision' | 'at'>): NextRevision {
  const said = { by: 'revert', why: `as it was in version ${found.revision}` } as const;
  const slices = Object.entries(found.slices).map(([name, slice]): [string, KeptSlice] => {
    const now = current.slices[name as SliceName];
    return [name, now?.text === slice.text ? now : { ...slice, ...said, ...stamp }];
  });
  const { profile, artifacts } = found;
  return { ...said, bootstrap: current.bootstrap, ...(profile ? { profile } : {}), slices: Object.fromEntries(slices), artifacts };
}
