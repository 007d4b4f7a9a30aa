// Renders the button that starts a chat in the default folder.
import { SquarePen } from 'lucide-react';
import { use, useState } from 'react';
import { useShell } from '../../kit/shell-context.ts';
import { SidebarContext } from '../../kit/top-bar.tsx';
import { useChatActions } from '../../chats/use-chat-actions.ts';
import { t } from '../../kit/t.ts';

export function NewChatButton() {
  const { attempt } = useShell();
  const actions = useChatActions();
  const sidebar = use(SidebarContext);
  const [isMaking, setMaking] = useState(false);

  async function begin(): Promise<void> {
    setMaking(true);
    await actions.create().finally(() => setMaking(false));
    // Closes the sidebar explicitly, because the address does not change if that chat is already open.
    sidebar?.leave();
  }

  return (
    <button type="button" className="sidebar-row" disabled={isMaking} onClick={() => attempt(begin)}>
      <SquarePen size={18} aria-hidden /> <span>{t('New chat')}</span>
    </button>
  );
}
