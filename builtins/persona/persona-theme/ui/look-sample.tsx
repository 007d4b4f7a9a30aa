// Renders a sample of the page in a palette, in light or dark mode, with its contrast.
import type { CSSProperties } from 'react';
import type { Preview } from './look-model.ts';
import { formatCount } from '#page/kit/page/format.ts';
import { inSentence } from '#page/kit/short-texts.ts';
import { t } from '#page/kit/t.ts';

interface SampleProps {
  readonly title: string;
  readonly colours: Preview['palette']['light'];
  readonly contrast: Preview['contrast']['light'];
}

export function LookSample({ title, colours, contrast }: SampleProps) {
  const style = Object.fromEntries(Object.entries(colours).map(([name, value]) => [`--${name}`, value])) as CSSProperties;
  const figures = [
    [t('Text'), contrast.text],
    [t('Secondary text'), contrast.quietText],
    [t('Links'), contrast.links],
    [t('Buttons'), contrast.buttons],
    [t('Edges of fields'), contrast.edges],
  ] as const;
  return (
    <figure className="look-sample">
      <div className="look-sample-page" style={style} aria-hidden="true">
        <p className="look-sample-mine">{t('How do I begin?')}</p>
        <p>
          {t('With one small step, then')} <span className="look-sample-link">{t('read on')}</span>. <span className="look-sample-quiet">{t('just now')}</span>
        </p>
        <p className="look-sample-code">
          <span className="look-sample-keyword">const</span> step = <span className="look-sample-string">'small'</span>;
        </p>
        <p className="look-sample-row">
          <span className="look-sample-button">{t('Send')}</span>
          <span className="look-sample-field">{t('Message')}</span>
        </p>
      </div>
      <figcaption>
        <strong>{title}</strong>
        <dl className="look-figures" aria-label={t('Contrast, {title}', { title: inSentence(title) })}>
          {figures.map(([name, figure]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{formatCount(Math.floor(figure * 10) / 10)} : 1</dd>
            </div>
          ))}
        </dl>
      </figcaption>
    </figure>
  );
}
