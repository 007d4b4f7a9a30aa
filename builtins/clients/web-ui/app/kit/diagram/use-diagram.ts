// Provides the drawing of a diagram. Caches it while the page is open, so that a row that is scrolled back into view shows it immediately.
import { messageOf } from '#lib/errors';
import { BoundedMap, isRecord } from '#lib/values';
import { useEffect, useState } from 'react';
import type { DiagramTask } from './sealed/diagrams.ts';
import { createSealedProgram } from '../sealed-program.ts';

export type Diagram =
  | { readonly address: string; readonly width: number; readonly height: number; readonly title: string; readonly fault?: undefined }
  | { readonly fault: string };

const program = createSealedProgram('diagrams');
const maxChars = 2_000_000;
const drawn = new BoundedMap<string, Diagram>(60);

/** Returns the drawing; `undefined` while rendering. */
export function useDiagram(text: string, theme: DiagramTask['theme']): Diagram | undefined {
  const key = `${theme}\n${text}`;
  const [, setRound] = useState(0);
  useEffect(() => {
    if (drawn.has(key)) return;
    let isWanted = true;
    void program
      .ask({ text, theme } satisfies DiagramTask)
      .then(readAnswer)
      .catch((fault: unknown): Diagram => ({ fault: messageOf(fault) }))
      .then((diagram) => {
        drawn.set(key, diagram);
        if (isWanted) setRound((count) => count + 1);
      });
    return () => {
      isWanted = false;
    };
  }, [key, text, theme]);
  return drawn.get(key);
}

/** Validates the output of the frame. Rendered as an image, it cannot run or load anything. */
function readAnswer(answer: unknown): Diagram {
  if (!isRecord(answer)) return { fault: 'the renderer produced no drawing' };
  const { svg, width, height, title, fault } = answer;
  if (typeof fault === 'string') return { fault: fault.slice(0, 2_000) };
  if (typeof svg !== 'string' || svg.length > maxChars || typeof width !== 'number' || typeof height !== 'number')
    return { fault: 'the renderer produced no drawing' };
  const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  return { address, width, height, title: typeof title === 'string' ? title : '' };
}
