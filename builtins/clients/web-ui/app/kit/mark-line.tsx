// What plugins say of something that was said or done: small, in words, and with a sign, so that it is not told by colour alone.
import { Tag } from 'lucide-react';
import { t } from './t.ts';
import './mark-line.css';

export function MarkLine({ labels }: { readonly labels: readonly string[] }) {
  return labels.map((label) => (
    <span key={label} className="mark-line">
      <Tag size={14} aria-hidden />
      <span>{t(label)}</span>
    </span>
  ));
}
