// Renders a formula in a text. The renderer is loaded with the first formula; until then, while streaming, and on errors, the source is shown.
import { memo, Suspense } from 'react';
import type { MathMark } from '#lib/math-marks';
import { lazyPart } from '../lazy-part.ts';
import { PlainOnError } from '../plain-on-error.tsx';
import { FormulaSource } from './formula-source.tsx';

const DrawnFormula = lazyPart(async () => (await import('./drawn-formula.tsx')).DrawnFormula);

export const Formula = memo(function Formula({ raw, tex, isDisplay, isOpen }: MathMark) {
  const source = <FormulaSource raw={raw} isDisplay={isDisplay} />;
  if (isOpen) return source;
  return (
    <PlainOnError text={raw}>
      <Suspense fallback={source}>
        <DrawnFormula raw={raw} tex={tex} isDisplay={isDisplay} />
      </Suspense>
    </PlainOnError>
  );
});
