// Renders the menu that allows calls permanently: in this chat, or in every chat of its folder. The menu shows the text of the rule.
import { ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { ruleMeaning } from 'agent-harness/transcript';
import { PlainText } from '../../kit/plain-text.tsx';
import { hostOnly } from '../../kit/host-only.tsx';
import { t } from '../../kit/t.ts';
import '../composer/more-menu.css';
import './always-menu.css';

interface Props {
  /** Subject of the rule: the command, or all calls of the tool. */
  readonly subject: string;
  /** The exact effect of the rule, as a sentence. */
  readonly meaning: string;
  readonly isBusy: boolean;
  /** Whether the approval changed very recently; its buttons are disabled until the user can notice the change. */
  readonly isSettling: boolean;
  /** Command pattern of a broader rule, such as `npm run …`. */
  readonly kind: string | undefined;
  readonly onChoose: (scope: 'chat' | 'workspace', kind?: string) => void;
}

export function AlwaysMenu({ subject, meaning, kind, isBusy, isSettling, onChoose }: Props) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button bare approval-always" aria-disabled={isBusy} disabled={isBusy}>
        {t('Always…')} <ChevronDown size={14} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Content {...hostOnly} className="more-menu always-menu" side="top" align="end" sideOffset={4} collisionPadding={8} data-guest-decision>
        <DropdownMenu.Label className="always-subject">
          {t('Always')} <PlainText text={subject} />
        </DropdownMenu.Label>
        <Scopes isSettling={isSettling} hasHints onChoose={(scope) => onChoose(scope)} />
        {kind !== undefined && (
          <DropdownMenu.Group className="always-kind" aria-label={`${t('Always')} ${kind}`}>
            <DropdownMenu.Label className="always-subject">
              {t('Always')} <PlainText text={kind} />
            </DropdownMenu.Label>
            <Scopes isSettling={isSettling} onChoose={(scope) => onChoose(scope, kind)} />
          </DropdownMenu.Group>
        )}
        <DropdownMenu.Label className="always-meaning">
          {kind === undefined
            ? ruleMeaning(meaning)
            : t('A wider rule covers commands of this form. It does not apply after the agent has read external content.')}
        </DropdownMenu.Label>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

interface ScopesProps {
  readonly isSettling: boolean;
  readonly hasHints?: true;
  readonly onChoose: (scope: 'chat' | 'workspace') => void;
}

function Scopes({ isSettling, hasHints, onChoose }: ScopesProps) {
  return (
    <>
      <DropdownMenu.Item className="more-menu-item" disabled={isSettling} onSelect={() => onChoose('chat')}>
        <span className="more-menu-text">
          {t('In this chat')}
          {hasHints && <span className="more-menu-hint">{t('until the server restarts')}</span>}
        </span>
      </DropdownMenu.Item>
      <DropdownMenu.Item className="more-menu-item" disabled={isSettling} onSelect={() => onChoose('workspace')}>
        <span className="more-menu-text">
          {t('In this folder')}
          {hasHints && <span className="more-menu-hint">{t('in every chat of this folder, until you remove the rule under Mode')}</span>}
        </span>
      </DropdownMenu.Item>
    </>
  );
}
