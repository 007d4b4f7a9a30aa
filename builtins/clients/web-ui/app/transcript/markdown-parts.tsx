// How links, pictures, tables and code in a text are drawn.
import { ExternalLink } from 'lucide-react';
import type { Components } from 'react-markdown';
import { pictureOf, safeLink } from './safe-address.ts';

export const markdownParts: Components = {
  a({ href, children }) {
    const address = safeLink(href);
    if (address === undefined) return <span>{children}</span>;
    return (
      <a href={address} target="_blank" rel="noopener noreferrer" title={address}>
        {children}
      </a>
    );
  },
  img({ src, alt }) {
    const picture = pictureOf(typeof src === 'string' ? src : undefined);
    const text = alt ?? '';
    if (picture.kind === 'shown') return <img className="md-picture" src={picture.src} alt={text} />;
    if (picture.kind === 'none') return <span className="muted">{text === '' ? 'picture' : text}</span>;
    return (
      <button type="button" className="button md-remote" title={picture.src} onClick={() => window.open(picture.src, '_blank', 'noopener,noreferrer')}>
        <ExternalLink size={14} aria-hidden />
        <span>
          Load image from {picture.host}
          {text !== '' && <span className="muted"> ({text})</span>}
        </span>
      </button>
    );
  },
  table({ children }) {
    return (
      <div className="md-table" tabIndex={0} role="group" aria-label="Table">
        <table>{children}</table>
      </div>
    );
  },
  // All of one level: a text that begins with a small heading would skip levels of the page's outline.
  h1: ({ children }) => <h3 className="md-h1">{children}</h3>,
  h2: ({ children }) => <h3 className="md-h2">{children}</h3>,
  h3: ({ children }) => <h3 className="md-h3">{children}</h3>,
  h4: ({ children }) => <h3 className="md-h4">{children}</h3>,
  h5: ({ children }) => <h3 className="md-h4">{children}</h3>,
  h6: ({ children }) => <h3 className="md-h4">{children}</h3>,
  pre: ({ children }) => (
    <pre className="md-pre" tabIndex={0} dir="ltr">
      {children}
    </pre>
  ),
  p: ({ children }) => <p dir="auto">{children}</p>,
  li: ({ children, className }) => (
    <li dir="auto" className={className}>
      {children}
    </li>
  ),
  input: ({ checked }) => <input type="checkbox" checked={checked === true} disabled readOnly aria-label={checked ? 'done' : 'to do'} />,
};
