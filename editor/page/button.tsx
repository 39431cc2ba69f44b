/** A button that may be off: it says so and does nothing, and keeps the focus, which the browser takes from one that is disabled. */
import type { ButtonHTMLAttributes } from 'preact';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'onClick'> {
  readonly isOff: boolean;
  /** Absent: it sends its form. */
  readonly onClick?: () => void;
}

export function Button({ isOff, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={onClick ? 'button' : 'submit'}
      aria-disabled={isOff}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </button>
  );
}
