// What can be done to one chat, as a menu behind three dots.
import { Ellipsis, GitFork, Pencil, Trash2, Undo2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';

interface Props {
  /** For screen readers. */
  readonly label: string;
  readonly onRename: () => void;
  readonly onFork: () => void;
  readonly onDelete: () => void;
  readonly onUndo?: () => void;
}

export function ChatMenu({ label, onRename, onFork, onDelete, onUndo }: Props) {
  // What opens takes the focus; the menu must not take it back.
  const movesFocus = useRef(false);
  return (
    <DropdownMenu.Root modal={false} onOpenChange={(isOpen) => isOpen && (movesFocus.current = false)}>
      <DropdownMenu.Trigger className="button bare icon chat-menu-button" aria-label={label}>
        <Ellipsis size={18} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => movesFocus.current && event.preventDefault()}
        >
          <DropdownMenu.Item
            className="menu-item"
            onSelect={() => {
              movesFocus.current = true;
              onRename();
            }}
          >
            <Pencil size={16} aria-hidden /> Rename
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={onFork}>
            <GitFork size={16} aria-hidden /> Fork
          </DropdownMenu.Item>
          {onUndo && (
            <DropdownMenu.Item className="menu-item" onSelect={onUndo}>
              <Undo2 size={16} aria-hidden /> Undo file changes
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item
            className="menu-item danger"
            onSelect={() => {
              movesFocus.current = true;
              onDelete();
            }}
          >
            <Trash2 size={16} aria-hidden /> Delete
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
