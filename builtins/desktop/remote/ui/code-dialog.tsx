// Renders a new code, large enough to be read from another device.
import { Modal } from '#page/kit/modal.tsx';
import { CodeCard } from './code-card.tsx';
import type { Code } from './use-remote.ts';
import { t } from '#page/kit/t.ts';

interface CodeDialogProps {
  readonly codes: readonly Code[];
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function CodeDialog({ codes, onChanged, onClose }: CodeDialogProps) {
  const newest = codes.at(-1);
  // Another device created the code and shows it.
  if (newest?.code === undefined) return null;
  return (
    <Modal title={newest.role === 'view' ? t('Show this window to a viewer') : t('Let a viewer control this window')} onClose={onClose}>
      <CodeCard code={newest} onChanged={onChanged} />
    </Modal>
  );
}
