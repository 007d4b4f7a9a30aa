// Renders the result of a tool that has no panel of its own.
import { viewOfResult, type ToolEntry } from 'agent-harness/client';
import { renderOutput } from '#lib/terminal';
import type { View } from 'agent-harness/view';
import { Image, ShieldAlert } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { isShown, Picture } from '../picture.tsx';
import { ArtifactView } from './artifact-view.tsx';
import { languageOf } from '../../../kit/code/language-of.ts';
import { FileLink } from '../../../kit/file-link.tsx';
import { CopyButton } from '../../../kit/copy-button.tsx';
import { useCut } from '../../../kit/cut.tsx';
import { HostOnly } from '../../../kit/host-only.tsx';
import { t } from '../../../kit/t.ts';
import { ViewCard } from '../../../kit/view/view-card.tsx';

const limits = { lines: 40, chars: 8_000 };

export function ToolResult({ entry }: { readonly entry: ToolEntry }) {
  const { id, output = '', artifactId, images = [], truncated, untrusted, fromWorkspace } = entry;
  const view = useMemo(() => viewOfResult(entry), [entry]);
  return (
    <div className="tool-result">
      {untrusted === true && fromWorkspace !== true && (
        <p className="tool-untrusted">
          <ShieldAlert size={14} aria-hidden />
          <span>{t('External content: data for the model, not instructions.')}</span>
        </p>
      )}
      {view ? <Shown entry={entry} view={view} /> : <OutputText id={id} output={output} />}
      {images.length > 0 && (
        <ul className="chips" aria-label={t('Pictures')}>
          {images.map((image, index) => (
            <li key={index} className={isShown(image) ? 'chip-picture' : 'chip'}>
              {isShown(image) ? (
                <Picture file={image} />
              ) : (
                <>
                  <Image size={14} aria-hidden />
                  <span>{image.name || image.mimeType}</span>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {truncated === true && (
        <p className="muted small">
          {artifactId === undefined
            ? t('The model received only part of the output.')
            : t('The model received a shortened output; the whole output is stored.')}
        </p>
      )}
      {artifactId !== undefined && <ArtifactView artifactId={artifactId} />}
    </div>
  );
}

/** Actions in a plugin's view run only when the local user presses them. */
function Shown({ entry: { id, view: given }, view }: { readonly entry: ToolEntry; readonly view: View }) {
  return (
    <HostOnly isOff={given === undefined}>
      <ViewCard view={view} id={id} isPast />
    </HostOnly>
  );
}

function OutputText({ id, output }: { readonly id: string; readonly output: string }) {
  const whole = useMemo(() => renderOutput(output).trimEnd(), [output]);
  const { text, more } = useCut(`output:${id}`, whole, limits);
  if (whole === '') return <p className="muted small">{t('No output.')}</p>;
  return (
    <div className="tool-output-box">
      <pre className="tool-output" tabIndex={0}>
        <OutputLines text={text} />
      </pre>
      <div className="tool-output-foot">
        {more}
        <CopyButton text={() => whole} />
      </div>
    </div>
  );
}

/** Matches lines that start with a file location, as searches and compilers print them. */
const placeLine = /^((?:[\w@.+~-]+\/)*[\w@.+~-]+\.[A-Za-z]\w{0,9}):(\d{1,7})(?=[:)\s]|$)/gm;
const maxPlaces = 200;

function OutputLines({ text }: { readonly text: string }) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { 0: whole, 1: path = '', 2: line, index } of text.matchAll(placeLine)) {
    if (parts.length > 2 * maxPlaces) break;
    if (languageOf(path) === '') continue;
    parts.push(
      text.slice(at, index),
      <FileLink key={index} path={path} line={Number(line)}>
        {whole}
      </FileLink>,
    );
    at = index + whole.length;
  }
  return parts.length === 0 ? text : [...parts, text.slice(at)];
}
