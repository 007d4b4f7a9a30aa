// A small piece of the page in the colours of a palette, by day or by night, with how well it can be read.
import type { CSSProperties } from 'react';
import type { Colours } from '../contract.ts';
import { leastContrast } from '../palette/colour.ts';
import { groundNames } from '../palette/palette.ts';

interface SampleProps {
  readonly title: string;
  readonly colours: Colours;
}

export function LookSample({ title, colours }: SampleProps) {
  const style = Object.fromEntries(Object.entries(colours).map(([name, value]) => [`--${name}`, value])) as CSSProperties;
  const grounds = groundNames.map((name) => colours[name]);
  const figures = [
    ['Text', leastContrast(colours.text, grounds)],
    ['Quiet text', leastContrast(colours['text-muted'], grounds)],
    ['Links', leastContrast(colours.accent, grounds)],
    ['Buttons', leastContrast(colours['accent-text'], [colours.accent])],
    ['Edges of fields', leastContrast(colours['border-strong'], grounds)],
  ] as const;
  return (
    <figure className="look-sample">
      <div className="look-sample-page" style={style} aria-hidden="true">
        <p className="look-sample-mine">How do I begin?</p>
        <p>
          With one small step, then <span className="look-sample-link">read on</span>. <span className="look-sample-quiet">just now</span>
        </p>
        <p className="look-sample-code">
          <span className="look-sample-keyword">const</span> step = <span className="look-sample-string">'small'</span>;
        </p>
        <p className="look-sample-row">
          <span className="look-sample-button">Send</span>
          <span className="look-sample-field">Message</span>
        </p>
      </div>
      <figcaption>
        <strong>{title}</strong>
        <dl className="look-figures" aria-label={`Contrast, ${title.toLowerCase()}`}>
          {figures.map(([name, contrast]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{Math.floor(contrast * 10) / 10} : 1</dd>
            </div>
          ))}
        </dl>
      </figcaption>
    </figure>
  );
}
