// Renders diagrams in a frame without an origin or network access: receives the source, and returns a drawing or an error.
import { messageOf } from '#lib/errors';
import mermaid from 'mermaid';

export interface DiagramTask {
  readonly text: string;
  readonly theme: 'light' | 'dark';
}

/** `fault` if the diagram could not be rendered. */
export type DrawnDiagram =
  { readonly svg: string; readonly width: number; readonly height: number; readonly title: string; readonly fault?: undefined } | { readonly fault: string };

let count = 0;

addEventListener('message', ({ data, source }: MessageEvent<{ readonly id: number; readonly task: DiagramTask }>) => {
  if (source !== parent) return;
  void draw(data.task)
    .catch((fault: unknown): DrawnDiagram => ({ fault: messageOf(fault) }))
    // The frame's own origin is opaque, and only the page can embed it.
    .then((answer) => parent.postMessage({ id: data.id, answer }, '*'));
});
parent.postMessage({ isReady: true }, '*');

async function draw({ text, theme }: DiagramTask): Promise<DrawnDiagram> {
  mermaid.initialize({
    ...{ startOnLoad: false, securityLevel: 'strict', suppressErrorRendering: true, maxTextSize: 50_000, maxEdges: 1_000, htmlLabels: false },
    ...{ theme: theme === 'dark' ? 'dark' : 'default', fontFamily: 'system-ui, sans-serif', flowchart: { htmlLabels: false }, class: { htmlLabels: false } },
  });
  const { svg } = await mermaid.render(`diagram-${++count}`, text);
  const held = document.createElement('div');
  held.innerHTML = svg;
  const drawing = held.querySelector('svg');
  if (!drawing) return { fault: 'the renderer produced no drawing' };
  const { width, height } = drawing.viewBox.baseVal;
  // A drawing that is used as an image needs an explicit size.
  drawing.setAttribute('width', String(Math.ceil(width)));
  drawing.setAttribute('height', String(Math.ceil(height)));
  drawing.style.removeProperty('max-width');
  const title = drawing.querySelector(':scope > title')?.textContent ?? '';
  return { svg: new XMLSerializer().serializeToString(drawing), width: Math.ceil(width), height: Math.ceil(height), title };
}
