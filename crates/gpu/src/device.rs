//! A GPU that is ready to play.

use std::sync::Arc;

use cudarc::driver::sys::{CUdevice_attribute, CUresult};
use cudarc::driver::{CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, DriverError, LaunchConfig};
use cudarc::nvrtc::{CompileOptions, Ptx, compile_ptx_with_opts};
use nestling_morpion::Variant;

use crate::layout::LONGEST;

/// What is compiled: the game, then the kernels that play it.
const SOURCE: &str = concat!(
    include_str!("kernels/game.cu"),
    include_str!("kernels/adapt.cu"),
    include_str!("kernels/playouts.cu"),
    include_str!("kernels/nrpa.cu"),
    include_str!("kernels/nested.cu")
);

/// Warps in a block; the kernels count on it.
pub(crate) const WARPS: u32 = 4;

/// The most tries that NRPA can make at once for an adapt.
pub(crate) const TRIES: u32 = 16;

/// Bytes of shared memory that a warp needs for its game, or for an adapt.
const SHARED: u32 = (LONGEST * 8) as u32;

/// Why a GPU cannot be used, or no longer.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// No driver.
    #[error("there is no NVIDIA driver here (libcuda)")]
    NoDriver,
    /// A driver, but nothing that it drives.
    #[error("there is no NVIDIA GPU here")]
    NoDevice,
    /// No compiler for the kernels.
    #[error("the kernels cannot be compiled without NVRTC (libnvrtc), which comes with the CUDA toolkit")]
    NoCompiler,
    /// The driver refuses, or the GPU is lost.
    #[error("the GPU cannot be used: {0}")]
    Driver(String),
    /// Not enough memory on the GPU.
    #[error("the GPU has not enough free memory for this search")]
    Memory,
    /// The compiler refuses.
    #[error("the kernels do not compile: {0}")]
    Compiler(String),
    /// Weights that the kernels cannot compute with.
    #[error(
        "the weight {weight} of code {code} is too large for the GPU, whose weights lie between -{most} and {most}"
    )]
    Weights {
        /// Whose it is.
        code: u64,
        /// The weight.
        weight: f64,
        /// The largest.
        most: f64,
    },
    /// The search mentions weights that are not there.
    #[error("the weights \"{0}\" were not given to the GPU")]
    MissingWeights(String),
    /// Not one of the searches that GPUs make.
    #[error("a GPU cannot make {0}")]
    Search(String),
    /// The start does not fit the kernels' board.
    #[error("this position is too large for the GPU's board of 32 × 32 cells and 64 legal moves")]
    TooLarge,
    /// More games left the board than the processor could finish.
    #[error("too many games leave the GPU's board of 32 × 32 cells from this position")]
    Strays,
    /// What was saved cannot be taken up.
    #[error("what the GPU had saved cannot be taken up: {0}")]
    State(String),
}

impl From<DriverError> for GpuError {
    fn from(error: DriverError) -> GpuError {
        match error.0 {
            CUresult::CUDA_ERROR_NO_DEVICE => GpuError::NoDevice,
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => GpuError::Memory,
            _ => GpuError::Driver(
                error.error_string().map_or(format!("{error:?}"), |text| text.to_string_lossy().into_owned()),
            ),
        }
    }
}

/// How many GPUs can be used here.
///
/// # Errors
///
/// When there is no driver, no GPU, or no compiler: it says what is missing.
pub fn available() -> Result<usize, GpuError> {
    // SAFETY: this only looks for libraries.
    let (driver, compiler) =
        unsafe { (cudarc::driver::sys::is_culib_present(), cudarc::nvrtc::sys::is_culib_present()) };
    if !driver {
        return Err(GpuError::NoDriver);
    }
    match CudaContext::device_count()? {
        0 => Err(GpuError::NoDevice),
        _ if !compiler => Err(GpuError::NoCompiler),
        count => Ok(count.unsigned_abs() as usize),
    }
}

/// Compiles the kernels for GPUs of a compute capability, such as (9, 0). Needs no GPU.
///
/// # Errors
///
/// When there is no compiler, or it refuses.
pub fn compile(variant: Variant, (major, minor): (i32, i32)) -> Result<Ptx, GpuError> {
    // SAFETY: this only looks for a library.
    if !unsafe { cudarc::nvrtc::sys::is_culib_present() } {
        return Err(GpuError::NoCompiler);
    }
    let options = [
        format!("--gpu-architecture=compute_{major}{minor}"),
        format!("-DLENGTH={}", variant.line_length()),
        format!("-DTOUCHING={}", u32::from(variant.touching())),
    ];
    let options = CompileOptions { ftz: Some(true), options: options.to_vec(), ..CompileOptions::default() };
    compile_ptx_with_opts(SOURCE, options).map_err(|error| GpuError::Compiler(format!("{error:?}")))
}

/// A GPU with the kernels of one variant; clones are the same GPU.
#[derive(Clone)]
pub struct Device {
    context: Arc<CudaContext>,
    pub(crate) stream: Arc<CudaStream>,
    module: Arc<CudaModule>,
    variant: Variant,
}

impl Device {
    /// Opens a GPU, the first being number 0, and compiles the kernels for it.
    ///
    /// # Errors
    ///
    /// When there is no driver, no such GPU, or no compiler.
    pub fn open(number: usize, variant: Variant) -> Result<Device, GpuError> {
        // SAFETY: this only looks for a library.
        if !unsafe { cudarc::driver::sys::is_culib_present() } {
            return Err(GpuError::NoDriver);
        }
        let context = CudaContext::new(number)?;
        let ptx = compile(variant, context.compute_capability()?)?;
        let module = context.load_module(ptx)?;
        Ok(Device { stream: context.new_stream()?, context, module, variant })
    }

    /// The name of the GPU.
    ///
    /// # Errors
    ///
    /// When it is lost.
    pub fn name(&self) -> Result<String, GpuError> {
        Ok(self.context.name()?)
    }

    /// How many searches of NRPA it holds at once, with as many tries for each adapt.
    ///
    /// # Errors
    ///
    /// When it is lost.
    pub fn searches(&self, tries: u32) -> Result<u32, GpuError> {
        let kernel = self.nrpa(tries)?;
        Ok(if tries == 1 { kernel.blocks * WARPS } else { kernel.blocks })
    }

    /// The kernel of NRPA: a warp for every run, or a block where there are several tries.
    pub(crate) fn nrpa(&self, tries: u32) -> Result<Kernel, GpuError> {
        if tries == 1 { self.kernel("nrpa") } else { self.kernel_of("nrpa_trying", tries, tries * SHARED) }
    }

    /// The variant whose kernels are loaded.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    pub(crate) fn kernel(&self, name: &str) -> Result<Kernel, GpuError> {
        self.kernel_of(name, WARPS, 0)
    }

    /// A kernel whose blocks have so many warps, with so many bytes of shared memory besides what it declares itself.
    pub(crate) fn kernel_of(&self, name: &str, warps: u32, shared: u32) -> Result<Kernel, GpuError> {
        let function = self.module.load_function(name)?;
        let processors = self.context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let each = function.occupancy_max_active_blocks_per_multiprocessor(warps * 32, shared as usize, None)?;
        Ok(Kernel { function, blocks: processors as u32 * each, warps, shared })
    }

    /// Memory on the device with these contents.
    pub(crate) fn upload<T: cudarc::driver::DeviceRepr>(&self, values: &[T]) -> Result<CudaSlice<T>, GpuError> {
        Ok(self.stream.clone_htod(values)?)
    }

    /// Memory on the device, all zeros.
    pub(crate) fn zeros<T: cudarc::driver::DeviceRepr + cudarc::driver::ValidAsZeroBits>(
        &self,
        count: usize,
    ) -> Result<CudaSlice<T>, GpuError> {
        Ok(self.stream.alloc_zeros(count)?)
    }

    /// A copy of what is on the device.
    pub(crate) fn download<T: cudarc::driver::DeviceRepr + Clone>(
        &self,
        values: &CudaSlice<T>,
    ) -> Result<Vec<T>, GpuError> {
        Ok(self.stream.clone_dtoh(values)?)
    }
}

/// A kernel, and how many blocks of it the GPU holds at once.
pub(crate) struct Kernel {
    pub function: CudaFunction,
    pub blocks: u32,
    warps: u32,
    shared: u32,
}

impl Kernel {
    /// As many blocks.
    pub fn launch(&self, blocks: u32) -> LaunchConfig {
        LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (self.warps * 32, 1, 1), shared_mem_bytes: self.shared }
    }
}
