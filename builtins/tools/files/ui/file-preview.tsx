// Renders the preview of a file: active content in a sandboxed frame, images and drawings as images.
import { pictureTypeOf } from '#lib/values';
import { Download } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Markdown } from '#page/kit/markdown/markdown.tsx';
import { previewKindOf, textOf } from './file-kind.ts';
import { readTable } from './read-table.ts';
import { PdfView } from './pdf-view.tsx';
import { SealedPage } from './sealed-page.tsx';
import { t } from '#page/kit/t.ts';

interface Props {
  readonly chatId: string;
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function FilePreview({ chatId, path, bytes }: Props) {
  const kind = previewKindOf(path, bytes);
  const text = useMemo(() => textOf(bytes) ?? '', [bytes]);
  if (kind === 'sealed') return <SealedPage chatId={chatId} path={path} bytes={bytes} />;
  // Rendered as an image, a drawing runs no script and loads nothing.
  if (kind === 'picture' || kind === 'drawing') return <PictureOf path={path} bytes={bytes} type={pictureTypeOf(bytes) ?? 'image/svg+xml'} />;
  if (kind === 'markdown') {
    return (
      <div className="file-preview-words" tabIndex={0} role="region" aria-label={t('Text')}>
        <Markdown id={`preview:${path}`} text={text} />
      </div>
    );
  }
  if (kind === 'table') return <TableOf text={text} isTabbed={/\.tsv$/i.test(path)} />;
  if (kind === 'pdf') {
    return (
      <PdfView
        path={path}
        bytes={bytes}
        fallback={(fault) => <Saved path={path} bytes={bytes} what={t('This PDF cannot be displayed: {fault}', { fault })} />}
      />
    );
  }
  return <Saved path={path} bytes={bytes} what={t('This file is neither text nor a picture that the page can display.')} />;
}

function PictureOf({ path, bytes, type }: { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string }) {
  const address = useAddress(bytes, type);
  return <div className="file-preview-picture">{address !== undefined && <img src={address} alt={path} />}</div>;
}

const maxRows = 500;

function TableOf({ text, isTabbed }: { readonly text: string; readonly isTabbed: boolean }) {
  const { rows, isCut } = useMemo(() => readTable(text, isTabbed ? '\t' : undefined, maxRows), [text, isTabbed]);
  const [head = [], ...body] = rows;
  return (
    <div className="file-preview-table" tabIndex={0} role="region" aria-label={t('Table')}>
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isCut && <p className="muted small">{t('The first {maxRows} rows are shown.', { maxRows })}</p>}
    </div>
  );
}

function Saved({ path, bytes, what }: { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer>; readonly what: string }) {
  const address = useAddress(bytes, 'application/octet-stream');
  return (
    <p className="page-empty">
      {what}{' '}
      {address !== undefined && (
        <a className="button" href={address} download={path.split('/').at(-1)}>
          <Download size={14} aria-hidden /> {t('Save')}
        </a>
      )}
    </p>
  );
}

/** Returns a blob URL of this page, which is revoked when it is unused. */
function useAddress(bytes: Uint8Array<ArrayBuffer>, type: string): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return address;
}
