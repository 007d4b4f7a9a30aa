// Renders the placeholder of an empty block.
import { t } from '../t.ts';

export function EmptyBlock() {
  return <p className="muted">{t('No entries.')}</p>;
}
