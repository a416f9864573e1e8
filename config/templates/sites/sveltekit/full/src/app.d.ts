/// <reference types="@sveltejs/kit" />
/// <reference types="offprint/vite/client" />
