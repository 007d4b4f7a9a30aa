// Renders a page with a single card, for sign-in and confirmations.
import { BrandMark } from '#page/kit/brand-mark.tsx';
import { useShell } from '#page/kit/shell-context.ts';
import { ThemeButton } from '#page/kit/theme-button.tsx';
import { useEffect, type ReactNode } from 'react';
import '#page/kit/modal.css';
import '#page/kit/page/pages.css';
import '#page/kit/sign-in.css';
import './gate-card.css';

export interface GateCardProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly children?: ReactNode;
}

export function GateCard({ title, intro, children }: GateCardProps) {
  const { brand } = useShell();
  useEffect(() => {
    document.title = `${title} · ${brand}`;
  }, [title, brand]);
  return (
    <main className="sign-in gate page">
      <div className="gate-head">
        <BrandMark size={40} />
        <ThemeButton />
      </div>
      <h1>{title}</h1>
      {intro !== undefined && <p className="muted">{intro}</p>}
      {children}
    </main>
  );
}
