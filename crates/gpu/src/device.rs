//! A GPU that is ready to play.

use std::sync::Arc;

use cudarc::driver::sys::CUdevice_attribute;
use cudarc::driver::{CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, DriverError, LaunchConfig};
use cudarc::nvrtc::{CompileOptions, Ptx, compile_ptx_with_opts};
use nestling_morpion::Variant;

const SOURCE: &str = include_str!("morpion.cu");

/// Warps in a block; the kernels count on it.
pub(crate) const WARPS: u32 = 4;

/// Why a GPU cannot be used, or no longer.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// No driver.
    #[error("there is no NVIDIA driver here (libcuda)")]
    NoDriver,
    /// No compiler for the kernels.
    #[error("the kernels cannot be compiled without NVRTC (libnvrtc), which comes with the CUDA toolkit")]
    NoCompiler,
    /// The driver refuses.
    #[error("the GPU cannot be used: {0:?}")]
    Driver(#[from] DriverError),
    /// The compiler refuses.
    #[error("the kernels do not compile: {0}")]
    Compiler(String),
    /// The start does not fit the kernels' board.
    #[error("this position is too large for the GPU's board of 32 × 32 cells and 64 legal moves")]
    TooLarge,
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

/// A GPU with the kernels of one variant.
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

    /// The variant whose kernels are loaded.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    pub(crate) fn kernel(&self, name: &str) -> Result<Kernel, GpuError> {
        let function = self.module.load_function(name)?;
        let processors = self.context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let each = function.occupancy_max_active_blocks_per_multiprocessor(WARPS * 32, 0, None)?;
        Ok(Kernel { function, blocks: processors as u32 * each })
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
}

impl Kernel {
    /// As many blocks.
    pub fn launch(blocks: u32) -> LaunchConfig {
        LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (WARPS * 32, 1, 1), shared_mem_bytes: 0 }
    }
}
