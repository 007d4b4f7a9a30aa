// Renders a plugin annotation of an entry as small text with an icon, independent of colour.
import { Tag } from 'lucide-react';
import { t } from './t.ts';
import './mark-line.css';

export function AnnotationLine({ labels }: { readonly labels: readonly string[] }) {
  return labels.map((label) => (
    <span key={label} className="mark-line">
      <Tag size={14} aria-hidden />
      <span>{t(label)}</span>
    </span>
  ));
}
