// Renders links, images, tables, headings and code in a text.
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { FileLink, KnownFileLink } from '../file-link.tsx';
import { readFileLocation, splitAtLocations } from '../file-location.ts';
import { pictureOf, safeLink } from './safe-address.ts';
import { t } from '../t.ts';

interface Inside {
  readonly children: ReactNode;
}

export function Link({ href, children }: Inside & { readonly href: string }) {
  const address = safeLink(href);
  const place = address === undefined ? readFileLocation(href) : undefined;
  if (place) return <FileLink {...place}>{children}</FileLink>;
  if (address === undefined) return <span>{children}</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" title={address}>
      {children}
    </a>
  );
}

export function Picture({ src, alt }: { readonly src: string; readonly alt: string }) {
  const picture = pictureOf(src);
  if (picture.kind === 'shown') return <img className="md-picture" src={picture.src} alt={alt} />;
  if (picture.kind === 'none') return <span className="muted">{alt === '' ? t('picture') : alt}</span>;
  return (
    <button type="button" className="button md-remote" title={picture.src} onClick={() => window.open(picture.src, '_blank', 'noopener,noreferrer')}>
      <ExternalLink size={14} aria-hidden />
      <span>
        {t('Load image from {host}', { host: picture.host })}
        {alt !== '' && <span className="muted"> ({alt})</span>}
      </span>
    </button>
  );
}

export function Table({ children }: Inside) {
  return (
    <div className="md-table" tabIndex={0} role="group" aria-label={t('Table')}>
      <table>{children}</table>
    </div>
  );
}

/** Renders all headings at the same level, because a text that starts with a lower-level heading would break the outline of the page. */
export function Heading({ level, children }: Inside & { readonly level: number }) {
  return <h3 className={`md-h${Math.min(level, 4)}`}>{children}</h3>;
}

export function Code({ children }: Inside) {
  return (
    <pre className="md-pre" tabIndex={0} dir="ltr">
      <code>{children}</code>
    </pre>
  );
}

/** Renders inline code, linked if it names a file. */
export function CodeWord({ text }: { readonly text: string }) {
  const place = readFileLocation(text);
  const word = <code>{text}</code>;
  if (!place) return word;
  const isSure = place.line !== undefined || place.path.includes('/');
  return isSure ? <FileLink {...place}>{word}</FileLink> : <KnownFileLink path={place.path}>{word}</KnownFileLink>;
}

/** Renders text in which file locations are linked. */
export function Words({ text }: { readonly text: string }) {
  const parts = splitAtLocations(text);
  if (parts.length === 1) return text;
  return parts.map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      <FileLink key={index} {...part}>
        {part.text}
      </FileLink>
    ),
  );
}

export function Task({ isDone }: { readonly isDone: boolean }) {
  return <input type="checkbox" checked={isDone} disabled readOnly aria-label={isDone ? t('done') : t('to do')} />;
}
