// Makes a text field as high as its text, in browsers whose style sheets cannot.
import { useLayoutEffect, useRef, type RefObject } from 'react';

/** @returns for the field that shows the text */
export function useAutoGrow(text: string): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight + 2}px`;
  }, [text]);
  return field;
}
