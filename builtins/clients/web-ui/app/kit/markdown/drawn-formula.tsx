// Renders a formula as MathML. Copying it yields the TeX source from a hidden element.
import { useLayoutEffect, useMemo, useRef } from 'react';
import { drawTex } from './draw-tex.ts';
import { FormulaSource } from './formula-source.tsx';
import { t } from '../t.ts';
import 'temml/dist/Temml-Local.css';
import './formula.css';

interface Props {
  readonly raw: string;
  readonly tex: string;
  readonly isDisplay: boolean;
}

export function DrawnFormula({ raw, tex, isDisplay }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const drawn = useMemo(() => drawTex(tex, isDisplay), [tex, isDisplay]);
  useLayoutEffect(() => {
    if (drawn.math) place.current?.replaceChildren(...drawn.math);
  }, [drawn]);
  if (!drawn.math) return <FormulaSource raw={raw} isDisplay={isDisplay} fault={drawn.fault} />;
  const parts = (
    <>
      <span ref={place} className="formula-drawn" />
      <span className="formula-tex" aria-hidden>
        {raw.trim()}
      </span>
    </>
  );
  return isDisplay ? (
    <span className="formula formula-lines" tabIndex={0} role="group" aria-label={t('Formula')} dir="ltr">
      {parts}
    </span>
  ) : (
    <span className="formula" dir="ltr">
      {parts}
    </span>
  );
}
