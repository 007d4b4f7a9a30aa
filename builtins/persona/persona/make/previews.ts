// What people see of a text while the model writes it: not every delta, and never more than the limit.
import { textStart } from 'agent-harness/lib/text';
import type { BootstrapStage } from '../contract.ts';
import type { PersonaParts } from '../persona-parts.ts';
import type { Tell } from './tell.ts';

export interface Preview {
  /** The text of the artifact so far, as a whole. The first one is shown at once. */
  show(text: string): void;
  /** Shows what was held back. */
  end(): void;
}

/** Milliseconds between two previews of one artifact. */
const pauseMs = 80;

export function createPreview({ config }: Pick<PersonaParts, 'config'>, tell: Tell, stage: BootstrapStage, artifact: string): Preview {
  let shownAt = -Infinity;
  let shown: string | undefined;
  let held: string | undefined;

  function say(text: string): void {
    held = undefined;
    if (!config.showsPreviews || text === shown) return;
    shown = text;
    shownAt = performance.now();
    tell({ stage, artifact, preview: text });
  }

  return {
    show(whole) {
      const text = textStart(whole, config.maxPreview);
      if (performance.now() - shownAt >= pauseMs || shown === '') say(text);
      else held = text;
    },
    end: () => void (held !== undefined && say(held)),
  };
}

/** The text of a field, as far as a JSON text that is being written has come; `undefined` before it begins. */
export function fieldSoFar(json: string, key: string): string | undefined {
  const found = new RegExp(`"${key}"\\s*:\\s*"`).exec(json);
  if (!found) return undefined;
  const [raw = ''] = /^(?:[^"\\]+|\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt]))*/.exec(json.slice(found.index + found[0].length)) ?? [];
  try {
    return JSON.parse(`"${raw.replace(/[\u0000-\u001f]/g, ' ')}"`) as string;
  } catch {
    return raw;
  }
}
