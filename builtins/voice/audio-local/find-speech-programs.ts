// Finds installed programs on the first request, and later repeats the search to find newly installed programs.
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { EngineState } from 'agent-harness/builtins/voice/audio-engines';

export interface Programs {
  /** Returns the absolute path of the first program that exists. */
  find(names: readonly string[]): Promise<string | undefined>;
  /** Returns the state of an engine that needs one of the programs. */
  state(names: readonly string[], title: string): Promise<EngineState>;
}

const knownMs = 60_000;

export function createPrograms({ isEnabled }: { isEnabled(): boolean }): Programs {
  const known = new Map<string, { readonly until: number; readonly path: Promise<string | undefined> }>();

  function find(names: readonly string[]): Promise<string | undefined> {
    const key = names.join(' ');
    const last = known.get(key);
    if (last && last.until > performance.now()) return last.path;
    const path = search(names);
    known.set(key, { until: performance.now() + knownMs, path });
    return path;
  }

  return {
    find,
    async state(names, title) {
      if (!isEnabled())
        return { isUsable: false, code: 'switched_off', reason: 'Local speech programs are disabled. Set AGENT_SPEECH_LOCAL=1 to enable them.' };
      if ((await find(names)) !== undefined) return { isUsable: true };
      return { isUsable: false, code: 'not_installed', reason: `Install ${title} and add it to PATH.` };
    },
  };
}

async function search(names: readonly string[]): Promise<string | undefined> {
  // Ignores relative entries, because they would refer to the current workspace, whose programs are not trusted.
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name);
      if (await isProgram(path)) return path;
    }
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
