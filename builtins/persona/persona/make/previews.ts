// Emits previews of a text while the model writes it, at a limited rate and length.
import { textStart } from '#lib/text';
import type { BootstrapStage } from '../contract.ts';
import type { PersonaParts } from '../persona-parts.ts';
import type { ReportProgress } from './report-progress.ts';

export interface Preview {
  /**
   * Shows a preview immediately, or after a delay if it follows the previous one too quickly.
   * @param text returns the artifact's text so far, or `undefined` before it starts; called only when the preview is shown
   */
  show(text: () => string | undefined): void;
  /** Shows the delayed preview. */
  end(): void;
}

/** Milliseconds between two previews of one artifact. */
const pauseMs = 80;

export function createPreview({ config }: Pick<PersonaParts, 'config'>, tell: ReportProgress, stage: BootstrapStage, artifact: string): Preview {
  let lookedAt = -Infinity;
  let shown: string | undefined;
  let held: (() => string | undefined) | undefined;
  let timer: NodeJS.Timeout | undefined;

  function emitPreview(): void {
    clearTimeout(timer);
    timer = undefined;
    const text = held?.();
    held = undefined;
    lookedAt = performance.now();
    if (text === undefined) return;
    const preview = textStart(text, config.maxPreview);
    if (preview === shown) return;
    shown = preview;
    tell({ stage, artifact, preview });
  }

  return {
    show(text) {
      if (!config.showsPreviews) return;
      held = text;
      const left = lookedAt + pauseMs - performance.now();
      if (left <= 0 || shown === '') emitPreview();
      // Shows the last text even if the model pauses.
      else timer ??= setTimeout(emitPreview, left);
    },
    end: emitPreview,
  };
}

/** Returns a field's text in incomplete JSON; `undefined` before it starts. */
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
