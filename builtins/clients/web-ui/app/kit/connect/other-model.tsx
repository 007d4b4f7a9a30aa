// The way from what answers now to another model of it.
import { useShell } from '../shell-context.ts';
import { t } from '../t.ts';

export function OtherModel() {
  const { openDialog } = useShell();
  return (
    <button type="button" className="button" onClick={() => openDialog('model')}>
      {t('Choose the model')}
    </button>
  );
}
