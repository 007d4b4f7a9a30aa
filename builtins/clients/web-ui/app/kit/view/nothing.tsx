// Renders the placeholder of an empty block.
import { t } from '../t.ts';

export function Nothing() {
  return <p className="muted">{t('No entries.')}</p>;
}
