// Renders the buttons that export a table: to the clipboard for a spreadsheet, or as a file.
import { Download } from 'lucide-react';
import { CopyButton } from '../copy-button.tsx';
import { hostOnly } from '../host-only.tsx';
import { cellsOf, commaSeparated, tabbed } from './table-text.ts';
import { t } from '../t.ts';

export function TableTools({ raw }: { readonly raw: string }) {
  const save = (): void => {
    const address = URL.createObjectURL(new Blob([commaSeparated(cellsOf(raw) ?? [])], { type: 'text/csv;charset=utf-8' }));
    const link = Object.assign(document.createElement('a'), { href: address, download: 'table.csv' });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1_000);
  };
  return (
    <p className="md-table-tools">
      <CopyButton label={t('Copy table')} text={() => tabbed(cellsOf(raw) ?? [])} />
      <button type="button" {...hostOnly} className="quiet-button" onClick={save}>
        <Download size={14} aria-hidden />
        <span>{t('Save as CSV')}</span>
      </button>
    </p>
  );
}
