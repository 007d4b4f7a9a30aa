// A small card over the button that was pressed for it. It comes on first use; the button alone is there before.
import { Popover } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { hostOnly } from '../host-only.tsx';
import './anchored-card.css';

/** Where the card stands; the focus goes back there, where it can. */
export interface CardAnchor {
  getBoundingClientRect(): DOMRect;
  contains?(node: Node | null): boolean;
  focus?(): void;
}

interface Props {
  /** What it is called for those who listen. */
  readonly label: string;
  /** The button that opens and closes it, or the place that it is about. */
  readonly anchor: RefObject<CardAnchor | null>;
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function AnchoredCard({ label, anchor, isWide = false, onClose, children }: Props) {
  return (
    <Popover.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          {...hostOnly}
          className="anchored-card"
          data-wide={isWide || undefined}
          side="top"
          align="center"
          sideOffset={8}
          collisionPadding={8}
          aria-label={label}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            anchor.current?.focus?.();
          }}
          // The button closes it by itself.
          onInteractOutside={(event) => anchor.current?.contains?.(event.target as Node) && event.preventDefault()}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
