// Requests the browser's notification permission when the user presses the button.
import { Bell } from 'lucide-react';
import { useState } from 'react';
import { hostOnly } from '../kit/host-only.tsx';
import { t } from '../kit/t.ts';

export function NotifyButton() {
  const [permission, setPermission] = useState(() => (canNotify() ? Notification.permission : 'denied'));
  if (permission !== 'default') return null;
  return (
    <button
      {...hostOnly}
      type="button"
      className="button bare icon approval-notify"
      aria-label={t('Notify me')}
      title={t('Notifies you about approvals and questions while this page is hidden')}
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      <Bell size={16} aria-hidden />
    </button>
  );
}

/** Browsers deny notifications without asking on insecure connections. */
export function canNotify(): boolean {
  return 'Notification' in window && window.isSecureContext;
}
