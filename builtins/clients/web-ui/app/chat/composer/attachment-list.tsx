// Renders the attachments of the next message: thumbnails for images, chips for other files, each with a remove button.
import { FileText, X } from 'lucide-react';
import { describeSize } from './attachment-limits.ts';
import type { Attachments, PickedAttachment } from './use-attachments.ts';
import { t } from '../../kit/t.ts';
import './attachment-list.css';

export function AttachmentList({ attachments, onRemoved }: { readonly attachments: Attachments; readonly onRemoved: () => void }) {
  const { items, problems, remove, dismiss } = attachments;
  return (
    <>
      {items.length > 0 && (
        <ul className="attachment-list" aria-label={t('Attachments')}>
          {items.map((item) => (
            <li key={item.id} className={item.previewUrl === undefined ? 'attachment-chip' : 'attachment-picture'}>
              <Piece item={item} />
              <button
                type="button"
                className="attachment-remove"
                aria-label={t('Remove {name}', { name: item.name })}
                onClick={() => {
                  remove(item.id);
                  onRemoved();
                }}
              >
                <X size={14} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div role="alert">
        {problems.length > 0 && (
          <div className="attachment-problems small">
            <ul>
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
            <button type="button" className="attachment-remove" aria-label={t('Dismiss')} onClick={dismiss}>
              <X size={14} aria-hidden />
            </button>
          </div>
        )}
      </div>
    </>
  );
}

function Piece({ item }: { readonly item: PickedAttachment }) {
  const size = describeSize(item.size);
  if (item.previewUrl !== undefined) return <img src={item.previewUrl} alt={`${item.name}, ${size}`} title={`${item.name}, ${size}`} />;
  return (
    <>
      <FileText size={16} aria-hidden />
      <span className="attachment-name" title={item.name}>
        {item.name}
      </span>
      <span className="muted small">{size}</span>
    </>
  );
}
