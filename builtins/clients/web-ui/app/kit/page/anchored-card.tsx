// Renders a popover card anchored to the button that opened it. The card is loaded on first use; the button is available before.
import { Popover } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { hostOnly } from '../host-only.tsx';
import './anchored-card.css';

/** Anchor of the card. When the card closes, the focus returns to it if possible. */
export interface CardAnchor {
  getBoundingClientRect(): DOMRect;
  contains?(node: Node | null): boolean;
  focus?(): void;
}

interface Props {
  /** Label for screen readers. */
  readonly label: string;
  /** The button that toggles the card, or the element that the card describes. */
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
          // The button itself closes the card.
          onInteractOutside={(event) => anchor.current?.contains?.(event.target as Node) && event.preventDefault()}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
