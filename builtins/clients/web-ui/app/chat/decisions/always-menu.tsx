// Allows calls permanently: in this chat, or in every chat of its folder. The menu contains the text of the rule.
import { DropdownMenu } from 'radix-ui';
import { ruleMeaning } from 'agent-harness/transcript';
import { PlainText } from '../../kit/plain-text.tsx';
import { hostOnly } from '../../kit/host-only.tsx';
import { t } from '../../kit/t.ts';
import '../composer/more-menu.css';
import './always-menu.css';

interface Props {
  /** Subject of the rule: the command, or every call of the tool. */
  readonly subject: string;
  /** The exact effect of the rule, as a sentence. */
  readonly meaning: string;
  readonly isBusy: boolean;
  /** The approval changed just before, maybe while this was open: ineffective choices are shown as disabled. */
  readonly isSettling: boolean;
  readonly onChoose: (scope: 'chat' | 'workspace') => void;
}

export function AlwaysMenu({ subject, meaning, isBusy, isSettling, onChoose }: Props) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button" aria-disabled={isBusy} disabled={isBusy}>
        {t('Always…')}
      </DropdownMenu.Trigger>
      <DropdownMenu.Content {...hostOnly} className="more-menu always-menu" side="top" align="start" sideOffset={4} collisionPadding={8} data-guest-decision>
        <DropdownMenu.Label className="always-subject">
          {t('Always')} <PlainText text={subject} />
        </DropdownMenu.Label>
        <DropdownMenu.Item className="more-menu-item" disabled={isSettling} onSelect={() => onChoose('chat')}>
          <span className="more-menu-text">
            {t('In this chat')}
            <span className="more-menu-hint">{t('until the program is started again')}</span>
          </span>
        </DropdownMenu.Item>
        <DropdownMenu.Item className="more-menu-item" disabled={isSettling} onSelect={() => onChoose('workspace')}>
          <span className="more-menu-text">
            {t('In this folder')}
            <span className="more-menu-hint">{t('in every chat here, until you take it back under Mode')}</span>
          </span>
        </DropdownMenu.Item>
        <DropdownMenu.Label className="always-meaning">{ruleMeaning(meaning)}</DropdownMenu.Label>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
