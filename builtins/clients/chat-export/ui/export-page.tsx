// Renders the page that exports a chat: format and content.
import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import { useClient, useRoute, useStore } from '#page/kit/hooks.ts';
import { saveFile } from '#page/kit/save-file.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { Choices } from '#page/kit/page/choices.tsx';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { Switch } from '#page/kit/page/switch.tsx';
import { t, table } from '#page/kit/t.ts';
import '#page/kit/page/form.css';
import './export-page.css';

const formats = table({
  html: 'A page: one file without scripts, to read and to share',
  markdown: 'Markdown: text for notes and documents',
  json: 'JSON: a file that can be imported again',
} as const);
const endings = { html: 'html', markdown: 'md', json: 'json' } as const;

export function ExportPage() {
  const client = useClient();
  const { attempt } = useShell();
  const { id = '' } = useRoute();
  const { chats } = useStore(client.chats);
  const title = chats.find(({ chatId }) => chatId === id)?.title ?? t('this chat');
  const [format, setFormat] = useState<keyof typeof formats>('html');
  const [isWhole, setWhole] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const switchId = useId();

  function save(): void {
    attempt(async () => {
      setBusy(true);
      try {
        const bytes = await client.bytes(`/api/chats/${encodeURIComponent(id)}/export?format=${format}&secrets=${String(isWhole)}`);
        saveFile(`${nameOf(title)}.${endings[format]}`, bytes);
      } finally {
        setBusy(false);
      }
    });
  }

  return (
    <PageFrame title={t('Export')} intro={t('“{title}” as a file.', { title })}>
      <div className="page-card export-page">
        <Choices legend={t('Kind of file')} value={format} options={formats} onChange={setFormat} />
        <div className="export-page-whole">
          <label htmlFor={switchId}>
            {t('With secrets and the folder')}
            <span className="muted small">{t('When off, keys and passwords are left out. Leave it off for files that you share.')}</span>
          </label>
          <Switch id={switchId} isOn={isWhole} onChange={setWhole} />
        </div>
        <button type="button" className="button primary" disabled={isBusy} onClick={save}>
          <Download size={16} aria-hidden /> {isBusy ? t('Preparing…') : t('Download')}
        </button>
      </div>
    </PageFrame>
  );
}

/** Returns the same file name as the server. */
function nameOf(title: string): string {
  const name = title.normalize('NFKD').replace(/[^\w .-]+/g, '').trim().replace(/\s+/g, '-').replace(/^[.-]+/, '').slice(0, 60); // prettier-ignore
  return name === '' ? 'chat' : name.toLowerCase();
}
