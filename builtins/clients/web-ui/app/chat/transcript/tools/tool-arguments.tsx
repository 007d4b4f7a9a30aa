// Lists the arguments of a call; shows text as plain text instead of JSON.
import type { ToolEntry } from 'agent-harness/client';
import { CodeBlock } from '../../../kit/code/code-block.tsx';
import { FileLink } from '../../../kit/file-link.tsx';
import { readFileLocation } from '../../../kit/file-location.ts';
import { useCut } from '../../../kit/cut.tsx';
import { languageOf } from '../../../kit/code/language-of.ts';
import { t } from '../../../kit/t.ts';

const limits = { lines: 12, chars: 2_000 };

export function ToolArguments({ entry }: { readonly entry: ToolEntry }) {
  const { id, icon, args, argsText } = entry;
  if (!args) return argsText === '' ? null : <pre className="tool-output">{argsText.slice(-4_000)}</pre>;
  const path = typeof args['path'] === 'string' ? args['path'] : '';
  const entries = Object.entries(args).filter(([key]) => !(isShownByResult(entry, key) || key === 'content'));
  const content = args['content'];
  return (
    <>
      {icon === 'terminal' && typeof args['command'] === 'string' ? (
        <CommandLine id={id} command={args['command']} />
      ) : (
        entries.length > 0 && (
          <dl className="tool-args">
            {entries.map(([key, value]) => (
              <Argument key={key} id={`${id}:${key}`} name={key} value={value} />
            ))}
          </dl>
        )
      )}
      {typeof content === 'string' && <CodeBlock id={`${id}:content`} lang={languageOf(path)} code={content} title={path === '' ? t('content') : path} />}
    </>
  );
}

/** Returns whether the result already shows the argument: a diff shows an edit, and the header shows the path of a write. */
function isShownByResult(entry: ToolEntry, key: string): boolean {
  if (key === 'path') return ['content', 'edits', 'patch'].some((other) => other in (entry.args ?? {}));
  return entry.state === 'ok' && (key === 'edits' || key === 'patch');
}

function Argument({ id, name, value }: { readonly id: string; readonly name: string; readonly value: unknown }) {
  const { text, more } = useCut(`argument:${id}`, typeof value === 'string' ? value : JSON.stringify(value, null, 2), limits);
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <span className="tool-args-value">
          {name === 'path' && typeof value === 'string' && readFileLocation(value) ? <FileLink path={value}>{text}</FileLink> : text}
        </span>
        {more}
      </dd>
    </>
  );
}

function CommandLine({ id, command }: { readonly id: string; readonly command: string }) {
  const { text, more } = useCut(`command:${id}`, command, limits);
  return (
    <div className="tool-command">
      <pre tabIndex={0}>
        <span className="tool-command-prompt" aria-hidden>
          ${' '}
        </span>
        {text}
      </pre>
      {more}
    </div>
  );
}
