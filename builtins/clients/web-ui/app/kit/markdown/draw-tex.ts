// Converts TeX to MathML. The source is untrusted: references and links are disabled, and the size is limited.
import { messageOf } from '#lib/errors';
import temml from 'temml';

export type DrawnTex = { readonly math: readonly Element[]; readonly fault?: undefined } | { readonly math?: undefined; readonly fault: string };

const maxChars = 8_000;
/** Maximum size in em, and in points. */
const maxSize: [number, number] = [20, 300];

export function drawTex(tex: string, isDisplay: boolean): DrawnTex {
  if (tex.length > maxChars) return { fault: 'the formula is too long' };
  const drawn = document.createElement('span');
  try {
    temml.render(tex, drawn, { displayMode: isDisplay, wrap: isDisplay ? 'none' : 'tex', throwOnError: true, trust: false, maxExpand: 500, maxSize });
  } catch (fault) {
    return { fault: messageOf(fault) };
  }
  for (const one of drawn.querySelectorAll('[id], [href]')) for (const name of ['id', 'href']) one.removeAttribute(name);
  return { math: [...drawn.children] };
}
