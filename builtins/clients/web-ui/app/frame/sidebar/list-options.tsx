// How the list of chats is shown, and whether several are being chosen.
import { Check, ListChecks, SlidersHorizontal } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { Grouping } from './chat-groups.ts';
import { t } from '../../kit/t.ts';

interface Props {
  readonly grouping: Grouping;
  readonly onGroup: (by: Grouping) => void;
  readonly isChoosing: boolean;
  /** Left out where nothing may be done with chats. */
  readonly onChoose: (() => void) | undefined;
}

export function ListOptions({ grouping, onGroup, isChoosing, onChoose }: Props) {
  const isByFolder = grouping === 'folder';
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className="button bare icon"
        aria-label={t('List options')}
        title={t('List options')}
        data-on={isByFolder || isChoosing || undefined}
      >
        <SlidersHorizontal size={16} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          <DropdownMenu.CheckboxItem className="menu-item" checked={isByFolder} onSelect={() => onGroup(isByFolder ? 'day' : 'folder')}>
            <Check size={16} aria-hidden style={{ visibility: isByFolder ? 'visible' : 'hidden' }} /> {t('Group by folder')}
          </DropdownMenu.CheckboxItem>
          {onChoose && (
            <DropdownMenu.Item className="menu-item" onSelect={onChoose}>
              <ListChecks size={16} aria-hidden /> {isChoosing ? t('Stop choosing') : t('Choose several')}
            </DropdownMenu.Item>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
