// Renders the link for switching from the current model to another model of the same provider.
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
